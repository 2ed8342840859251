#include <fmt/format.h>

#include "compile/graph.h"
#include "dispatcher/function_schema.h"

namespace gb::compiler {
namespace {

std::string argument_text(const Graph& graph, const Argument& arg) {
  if (arg.kind == Argument::Kind::kConstant) return gb::to_string(arg.constant);
  std::vector<std::string> names;
  for (const ValueRef& v : arg.refs) names.push_back(graph.name(v));
  return arg.kind == Argument::Kind::kValue ? names[0] : fmt::format("[{}]", fmt::join(names, ", "));
}

std::string node_text(const Graph& graph, const Node& node) {
  std::vector<std::string> results, args;
  for (size_t i = 0; i < node.results.size(); ++i) {
    results.push_back(fmt::format("{}: {}", node.names[i], to_string(node.results[i])));
  }
  const auto& declared = node.op.schema().arguments();
  for (size_t i = 0; i < node.args.size(); ++i) {
    const std::string text = argument_text(graph, node.args[i]);
    args.push_back(declared[i].kwarg_only() ? fmt::format("{}={}", declared[i].name(), text) : text);
  }
  return fmt::format("{}{}{}({})", fmt::join(results, ", "), results.empty() ? "" : " = ",
                     toString(node.op.operator_name()), fmt::join(args, ", "));
}

}  // namespace

std::string to_string(const TensorMeta& meta) {
  std::string text = fmt::format("{}[{}]", dtype_abbr(meta.dtype), fmt::join(meta.sizes, ", "));
  if (!meta.is_contiguous()) text += fmt::format(" strides [{}]", fmt::join(meta.strides, ", "));
  return text;
}

std::string to_string(const Graph& graph) {
  std::vector<std::string> inputs, outputs;
  for (const GraphInput& input : graph.inputs) {
    inputs.push_back(fmt::format("{}: {}{}", input.name, to_string(input.meta),
                                 input.number ? fmt::format(" (number {})", *input.number)
                                              : std::string(input.lifted ? " (lifted)" : "")));
  }
  for (const ValueRef& v : graph.outputs) outputs.push_back(graph.name(v));
  std::string text = fmt::format("graph({}) on {}:\n", fmt::join(inputs, ", "), graph.device.str());
  for (const Node& node : graph.nodes) text += fmt::format("  {}\n", node_text(graph, node));
  return text + fmt::format("  return {}\n", fmt::join(outputs, ", "));
}

}  // namespace gb::compiler
