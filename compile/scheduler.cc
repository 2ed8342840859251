#include "compile/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compile/logs.h"

namespace gb::compiler {
namespace {

std::string describe(const LoopProgram& program, const LoopStep& step) {
  return fmt::format("{} ({}: {})", program.buffers[step.buffer].name, step.source, step.what);
}

bool reduces(const LoopStep& step) { return step.reduce.has_value(); }

// The dimensions of a space that are longer than 1.
std::vector<int> long_dims(const std::vector<int64_t>& space, const std::vector<bool>* leave_out = nullptr) {
  std::vector<int> dims;
  for (size_t d = 0; d < space.size(); ++d) {
    if (space[d] != 1 && !(leave_out && (*leave_out)[d])) dims.push_back(static_cast<int>(d));
  }
  return dims;
}

std::vector<int64_t> sizes_at(const std::vector<int64_t>& space, const std::vector<int>& dims) {
  std::vector<int64_t> sizes;
  for (int d : dims) sizes.push_back(space[d]);
  return sizes;
}

NestMember member_along(LoopStep step, const std::vector<int>& own_dims, const std::vector<int>& nest_dims,
                        bool per_row) {
  NestMember member{std::move(step), {}, per_row};
  member.var_of_dim.assign(member.step.space.size(), -1);
  for (size_t i = 0; i < own_dims.size(); ++i) member.var_of_dim[own_dims[i]] = nest_dims[i];
  return member;
}

// `step` as a member of `nest`, or why it cannot be.
std::variant<NestMember, std::string> try_fuse(const Nest& nest, const LoopStep& step) {
  const std::vector<int> own = long_dims(step.space), all = long_dims(nest.space);
  if (nest.members.size() >= kMaxFusedSteps)
    return fmt::format("the nest has {} steps already", kMaxFusedSteps);

  NestMember member;
  if (sizes_at(step.space, own) == sizes_at(nest.space, all) &&
      !(nest.has_reduction && !reduces(step) && all.empty())) {
    member = member_along(step, own, all, false);
    if (reduces(step) && nest.has_reduction) {
      std::vector<bool> same(nest.space.size(), false);
      for (size_t d = 0; d < step.space.size(); ++d) {
        if (step.reduced[d] && member.var_of_dim[d] >= 0) same[member.var_of_dim[d]] = true;
      }
      for (size_t d = 0; d < same.size(); ++d) {
        if (nest.space[d] != 1 && same[d] != nest.inner[d]) return "the two reduce different dimensions";
      }
    }
  } else if (!reduces(step) && nest.has_reduction &&
             sizes_at(step.space, own) == sizes_at(nest.space, long_dims(nest.space, &nest.inner))) {
    member = member_along(step, own, long_dims(nest.space, &nest.inner), true);
  } else {
    return fmt::format("it walks [{}], the nest walks [{}]", fmt::join(step.space, ", "),
                       fmt::join(nest.space, ", "));
  }

  bool shares = false;
  std::string why;
  for_each_load(step.body, [&](const Expr& load) {
    for (const NestMember& producer : nest.members) {
      for_each_load(producer.step.body, [&](const Expr& other) { shares |= other.buffer == load.buffer; });
      if (producer.step.buffer != load.buffer) continue;
      shares = true;
      const auto reads = member.to_nest(load.strides, nest.space.size());
      const auto writes = producer.to_nest(producer.step.write_strides, nest.space.size());
      for (size_t d = 0; d < nest.space.size(); ++d) {
        if ((nest.space[d] != 1 && reads[d] != writes[d]) || load.offset != 0) {
          why = "it reads a result of the nest at other positions than it is written";
        }
      }
    }
  });
  if (!why.empty()) return why;
  if (!shares) return "the two share no data: fusing would save nothing";
  return member;
}

// Reductions decide which dimensions are inner; without one it is the last long dimension.
void settle_inner(Nest& nest) {
  nest.inner.assign(nest.space.size(), false);
  for (const NestMember& member : nest.members) {
    for (size_t d = 0; reduces(member.step) && d < member.var_of_dim.size(); ++d) {
      if (member.step.reduced[d] && member.var_of_dim[d] >= 0) nest.inner[member.var_of_dim[d]] = true;
    }
    nest.has_reduction |= reduces(member.step);
  }
  if (nest.has_reduction) return;
  const std::vector<int> dims = long_dims(nest.space);
  if (!dims.empty()) nest.inner[dims.back()] = true;
}

Nest nest_of(const LoopStep& step) {
  Nest nest;
  nest.space = step.space;
  const std::vector<int> dims = long_dims(step.space);
  nest.members.push_back(member_along(step, dims, dims, false));
  settle_inner(nest);
  return nest;
}

// A member opens a new inner loop when it reads what a reduction of the present one is still computing.
void split_into_parts(Nest& nest) {
  std::set<int> unfinished;  // results of the reductions in the open inner loop
  for (size_t i = 0; i < nest.members.size(); ++i) {
    const NestMember& member = nest.members[i];
    bool waits = false;
    for_each_load(member.step.body, [&](const Expr& load) { waits |= unfinished.count(load.buffer) > 0; });
    const bool open = !nest.parts.empty() && !nest.parts.back().per_row;
    if (member.per_row || waits || !open) {
      nest.parts.push_back({member.per_row, {}});
      unfinished.clear();
    }
    nest.parts.back().members.push_back(static_cast<int>(i));
    if (reduces(member.step)) unfinished.insert(member.step.buffer);
  }
}

void read_from(const Value& v, std::set<int>& buffers) { buffers.insert(v.buffer); }

std::vector<Place> place_buffers(const LoopProgram& program, const Schedule& schedule) {
  std::vector<Place> places(program.buffers.size(), Place::kMemory);
  std::set<int> outside;  // read by something that is not a loop
  for (const Value& v : program.outputs) read_from(v, outside);
  std::vector<std::set<int>> read_by_item(schedule.items.size());
  for (size_t i = 0; i < schedule.items.size(); ++i) {
    if (const auto* nest = std::get_if<Nest>(&schedule.items[i])) {
      for (const NestMember& member : nest->members) {
        for_each_load(member.step.body, [&](const Expr& load) { read_by_item[i].insert(load.buffer); });
      }
    } else if (const auto* gemm = std::get_if<GemmStep>(&schedule.items[i])) {
      read_from(gemm->a, outside);
      read_from(gemm->b, outside);
    }
  }
  for (int buffer : program.opaque_reads) outside.insert(buffer);

  for (size_t i = 0; i < schedule.items.size(); ++i) {
    const auto* nest = std::get_if<Nest>(&schedule.items[i]);
    if (!nest) continue;
    for (size_t part = 0; part < nest->parts.size(); ++part) {
      for (int m : nest->parts[part].members) {
        const LoopStep& step = nest->members[m].step;
        bool elsewhere = outside.count(step.buffer) > 0;
        for (size_t j = 0; j < read_by_item.size(); ++j)
          elsewhere |= j != i && read_by_item[j].count(step.buffer) > 0;
        if (elsewhere) continue;
        bool later = false;
        for (size_t p = part + 1; p < nest->parts.size(); ++p) {
          for (int reader : nest->parts[p].members) {
            for_each_load(nest->members[reader].step.body,
                          [&](const Expr& e) { later |= e.buffer == step.buffer; });
          }
        }
        const bool per_row = nest->members[m].per_row || reduces(step);
        places[step.buffer] = later && !per_row ? Place::kRow : Place::kLocal;
      }
    }
  }
  return places;
}

}  // namespace

std::vector<int64_t> NestMember::to_nest(const std::vector<int64_t>& strides, size_t nest_dims) const {
  std::vector<int64_t> result(nest_dims, 0);
  for (size_t d = 0; d < strides.size(); ++d) {
    if (var_of_dim[d] >= 0) result[var_of_dim[d]] = strides[d];
  }
  return result;
}

int64_t Nest::row_elements() const {
  int64_t n = 1;
  for (size_t d = 0; d < space.size(); ++d) n *= inner[d] ? space[d] : 1;
  return n;
}

Schedule schedule(const LoopProgram& program) {
  Schedule result;
  std::string wall;  // what stands between a loop and the nest before it
  Nest* open = nullptr;
  const auto push = [&](auto item) {
    result.items.push_back(std::move(item));
    open = std::get_if<Nest>(&result.items.back());
  };
  result.items.reserve(program.steps.size());  // `open` points into it
  for (const Step& step : program.steps) {
    if (const auto* view = std::get_if<ViewStep>(&step)) {
      Nest* still_open = open;  // a view is no code: it does not come between two loops
      push(*view);
      open = still_open;
    } else if (const auto* gemm = std::get_if<GemmStep>(&step)) {
      wall = fmt::format("the matrix product {} stands before it", program.buffers[gemm->buffer].name);
      push(*gemm);
    } else if (const auto* opaque = std::get_if<OpaqueStep>(&step)) {
      wall = fmt::format("a black box stands before it: {}", opaque->why);
      push(*opaque);
    } else {
      const LoopStep& loop = std::get<LoopStep>(step);
      const std::string name = describe(program, loop);
      if (!open) {
        log(CompileLog::fusion,
            fmt::format("{}: a new loop nest: {}", name, wall.empty() ? "it is the first" : wall));
        push(nest_of(loop));
        continue;
      }
      auto fused = try_fuse(*open, loop);
      const std::string first = describe(program, open->members[0].step);
      if (auto* member = std::get_if<NestMember>(&fused)) {
        log(CompileLog::fusion, fmt::format("{}: fused into the nest of {}: {}", name, first,
                                            member->per_row ? "it is one value per row"
                                                            : "the same rows, read where they are written"));
        open->members.push_back(std::move(*member));
        settle_inner(*open);
      } else {
        log(CompileLog::fusion,
            fmt::format("{}: not fused into the nest of {}: {}", name, first, std::get<std::string>(fused)));
        push(nest_of(loop));
      }
    }
  }
  for (auto& item : result.items) {
    if (auto* nest = std::get_if<Nest>(&item)) split_into_parts(*nest);
  }
  result.places = place_buffers(program, result);
  return result;
}

}  // namespace gb::compiler
