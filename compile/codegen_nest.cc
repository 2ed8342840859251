#include "compile/codegen_nest.h"

#include <fmt/format.h>

#include <set>

#include "compile/codegen_expr.h"

namespace gb::compiler {
namespace {

class NestWriter {
 public:
  NestWriter(const LoopProgram& program, const Schedule& schedule, const Nest& nest)
      : program_(program), schedule_(schedule), nest_(nest) {}

  std::string run() && {
    line(fmt::format("// {}: {}.", nest_.members.size() == 1 ? "One loop" : "One loop nest",
                     sources(all_members())));
    open_loops(/*inner=*/false);
    for (const NestPart& part : nest_.parts) part.per_row ? row_value(part) : inner_loop(part);
    close_to(1);
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += std::string(2 * depth_, ' ') + text + "\n"; }

  std::vector<int> all_members() const {
    std::vector<int> all;
    for (size_t i = 0; i < nest_.members.size(); ++i) all.push_back(static_cast<int>(i));
    return all;
  }

  // "aten::addmm (bias add), aten::_softmax (max, exp(x - max))".
  std::string sources(const std::vector<int>& members) const {
    std::vector<std::pair<std::string, std::string>> parts;
    for (int m : members) {
      const LoopStep& step = nest_.members[m].step;
      if (!parts.empty() && parts.back().first == step.source) {
        parts.back().second += ", " + step.what;
      } else {
        parts.emplace_back(step.source, step.what);
      }
    }
    std::string text;
    for (const auto& [source, what] : parts)
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", source, what);
    return text;
  }

  void open_loops(bool inner) {
    for (size_t d = 0; d < nest_.space.size(); ++d) {
      if (nest_.inner[d] != inner || nest_.space[d] == 1) continue;
      line(fmt::format("for (int64_t i{0} = 0; i{0} < {1}; ++i{0}) {{", d, nest_.space[d]));
      ++depth_;
    }
  }
  void close_to(int depth) {
    while (depth_ > depth) {
      --depth_;
      line("}");
    }
  }

  std::string place_of(const NestMember& member) const {
    return position(member.to_nest(member.step.write_strides, nest_.space.size()), nest_.space, 0);
  }
  // The place of this element in one row of scratch.
  std::string place_in_row() const {
    std::vector<int64_t> strides(nest_.space.size(), 0);
    int64_t stride = 1;
    for (size_t d = nest_.space.size(); d-- > 0;) {
      if (!nest_.inner[d]) continue;
      strides[d] = stride;
      stride *= nest_.space[d];
    }
    return position(strides, nest_.space, 0);
  }

  std::string name(int buffer) const { return program_.buffers[buffer].name; }

  std::string load(const NestMember& reader, const Expr& e) const {
    if (element_values_.count(e.buffer) || row_values_.count(e.buffer)) return name(e.buffer) + "_i";
    if (schedule_.places[e.buffer] == Place::kRow)
      return fmt::format("{}[{}]", name(e.buffer), place_in_row());
    return fmt::format("{}[{}]", name(e.buffer),
                       position(reader.to_nest(e.strides, nest_.space.size()), nest_.space, e.offset));
  }
  std::string body(const NestMember& member) const {
    return expression(member.step.body, dtype(member), [&](const Expr& e) { return load(member, e); });
  }
  ScalarType dtype(const NestMember& member) const { return program_.buffers[member.step.buffer].meta.dtype; }

  void store(const NestMember& member) {
    const int buffer = member.step.buffer;
    const Place place = schedule_.places[buffer];
    if (place == Place::kMemory) line(fmt::format("{0}[{1}] = {0}_i;", name(buffer), place_of(member)));
    if (place == Place::kRow) line(fmt::format("{0}[{1}] = {0}_i;", name(buffer), place_in_row()));
  }

  void row_value(const NestPart& part) {
    const NestMember& member = nest_.members[part.members[0]];
    line(fmt::format("const {} {}_i = {};  // {}", c_type(dtype(member)), name(member.step.buffer),
                     body(member), sources(part.members)));
    store(member);
    row_values_.insert(member.step.buffer);
  }

  void inner_loop(const NestPart& part) {
    const int row_depth = depth_;
    element_values_.clear();
    if (nest_.parts.size() > 1) line(fmt::format("// {}", sources(part.members)));
    for (int m : part.members) declare_accumulator(nest_.members[m]);
    open_loops(/*inner=*/true);
    const bool in_a_loop = depth_ > row_depth;
    if (!in_a_loop) {  // rows of one element: a block keeps the names apart
      line("{");
      ++depth_;
    }
    for (int m : part.members) {
      const NestMember& member = nest_.members[m];
      const std::string& buffer = program_.buffers[member.step.buffer].name;
      if (member.step.reduce == ReduceOp::kMax) {
        line(fmt::format("{0}_acc = larger({0}_acc, {1});", buffer, body(member)));
      } else if (member.step.reduce == ReduceOp::kSum) {
        line(fmt::format("{}_acc += {};", buffer, body(member)));
      } else {
        line(fmt::format("const {} {}_i = {};", c_type(dtype(member)), buffer, body(member)));
        element_values_.insert(member.step.buffer);
        store(member);
      }
    }
    close_to(row_depth);
    element_values_.clear();
    for (int m : part.members) {
      const NestMember& member = nest_.members[m];
      if (!member.step.reduce) continue;
      const std::string type = c_type(dtype(member));
      line(fmt::format("const {0} {1}_i = static_cast<{0}>({1}_acc);", type, name(member.step.buffer)));
      store(member);
      row_values_.insert(member.step.buffer);
    }
  }

  // Sums are kept in double: 600 floats added one by one in float would lose the last digits.
  void declare_accumulator(const NestMember& member) {
    if (member.step.reduce == ReduceOp::kMax) {
      line(fmt::format("{} {}_acc = -INFINITY;", c_type(dtype(member)), name(member.step.buffer)));
    } else if (member.step.reduce == ReduceOp::kSum) {
      line(fmt::format("double {}_acc = 0;", name(member.step.buffer)));
    }
  }

  const LoopProgram& program_;
  const Schedule& schedule_;
  const Nest& nest_;
  std::string out_;
  int depth_ = 1;
  std::set<int> element_values_;  // computed at this element: read as name_i
  std::set<int> row_values_;      // computed for this row
};

}  // namespace

std::string nest_text(const LoopProgram& program, const Schedule& schedule, const Nest& nest) {
  return NestWriter(program, schedule, nest).run();
}

}  // namespace gb::compiler
