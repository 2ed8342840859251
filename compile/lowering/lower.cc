// Lowering a graph: each node through its operator's lowering, or as an opaque call.
#include <fmt/format.h>

#include <algorithm>

#include "compile/logs.h"
#include "compile/lowering/registry.h"
#include "core/error.h"

namespace gb::compiler {
namespace {

Value whole(const LoopProgram& program, int buffer) {
  const TensorMeta& meta = program.buffers[buffer].meta;
  return {buffer, meta.sizes, meta.strides, 0, meta.dtype};
}

void lower_opaque(LoopProgram& program, const Graph& graph, int index, std::string why) {
  const Node& node = graph.nodes[index];
  log(CompileLog::fusion, fmt::format("{}: called as a black box; nothing fuses across it", why));
  for (const Argument& arg : node.args) {
    for (const ValueRef& v : arg.refs) program.opaque_reads.push_back(program.value(v).buffer);
  }
  OpaqueStep step{index, {}, std::move(why)};
  std::vector<Value> results;
  for (size_t i = 0; i < node.results.size(); ++i) {
    step.buffers.push_back(static_cast<int>(program.buffers.size()));
    program.buffers.push_back(
        {Buffer::Kind::kOpaqueResult, unique_buffer_name(program, node.names[i]), node.results[i]});
    results.push_back(whole(program, step.buffers.back()));
  }
  program.steps.push_back(std::move(step));
  program.node_results.push_back(std::move(results));
}

void lower_node(LoopProgram& program, const Graph& graph, int index) {
  const std::string op = toString(graph.nodes[index].op.operator_name());
  const std::optional<Lowering> lowering = find_lowering(op);
  if (!lowering)
    return lower_opaque(program, graph, index, fmt::format("no lowering is registered for {}", op));
  LoweringContext context(program, graph, index);
  if (LoweringResult results = (*lowering)(context)) {
    program.node_results.push_back(std::move(*results));
  } else {
    lower_opaque(program, graph, index,
                 fmt::format("the lowering of {} declined: {}", op, context.why_declined()));
  }
}

}  // namespace

std::string unique_buffer_name(const LoopProgram& program, const std::string& wish) {
  const auto taken = [&](const std::string& name) {
    // The generated code makes `name_i` (its value at one position) and `name_acc` (its accumulator).
    return std::any_of(program.buffers.begin(), program.buffers.end(), [&](const Buffer& b) {
      for (const char* suffix : {"", "_i", "_acc"}) {
        if (b.name == name + suffix || name == b.name + suffix) return true;
      }
      return false;
    });
  };
  std::string name = wish;
  for (int i = 1; taken(name); ++i) name = fmt::format("{}_{}", wish, i);
  return name;
}

LoopProgram lower(const Graph& graph) {
  LoopProgram program;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const GraphInput& input = graph.inputs[i];
    program.buffers.push_back(
        {Buffer::Kind::kInput, unique_buffer_name(program, input.name), input.meta, static_cast<int>(i)});
    program.inputs.push_back(whole(program, static_cast<int>(i)));
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) lower_node(program, graph, static_cast<int>(i));
  for (const ValueRef& v : graph.outputs) program.outputs.push_back(program.value(v));
  return program;
}

}  // namespace gb::compiler
