#include "compile/compiled_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "compile/logs.h"
#include "compile/lowering/registry.h"
#include "core/error.h"
#include "dispatcher/local_dispatch_key_set.h"
#include "kernels/cpu/gemm.h"
#include "ops/common/empty.h"

namespace gb::compiler {
namespace {

// The same memory under the sizes, strides and offset of `v`. Shares the version counter, as a view does.
Tensor view_of(const Tensor& base, const Value& v) {
  Tensor view = detail::make_tensor<TensorImpl>(Storage(base.storage()), dense_key(base.device().type()),
                                                TypeMeta(v.dtype));
  view.unsafeGetTensorImpl()->set_sizes_and_strides(v.sizes, v.strides, base.storage_offset() + v.offset);
  view.unsafeGetTensorImpl()->set_version_counter(base.unsafeGetTensorImpl()->version_counter());
  return view;
}

bool same_layout(const Tensor& t, const TensorMeta& meta) {
  if (t.scalar_type() != meta.dtype || t.sizes() != IntArrayRef(meta.sizes)) return false;
  for (size_t d = 0; d < meta.sizes.size(); ++d) {
    if (meta.sizes[d] != 1 && t.numel() != 0 && t.strides()[d] != meta.strides[d]) return false;
  }
  return true;
}

void call_gemm(void*, int f64, int64_t m, int64_t n, int64_t k, const void* a, int64_t a_row, int64_t a_col,
               const void* b, int64_t b_row, int64_t b_col, void* c) {
  cpu::gemm(f64 ? kDouble : kFloat, m, n, k, 1, {a, a_row, a_col}, {b, b_row, b_col}, 0, {c, n, 1});
}

}  // namespace

// One run: the tensors behind the program's buffers.
struct Frame {
  const CompiledGraph& compiled;
  std::vector<Tensor>
      tensors;  // per buffer of the program; undefined where a buffer has no memory of its own

  Tensor tensor_of(const Value& v) const {
    const Tensor& base = tensors[v.buffer];
    const bool whole =
        v.offset == 0 && base.sizes() == IntArrayRef(v.sizes) && base.strides() == IntArrayRef(v.strides);
    return whole ? base : view_of(base, v);
  }

  IValue argument(const Argument& arg) const {
    if (arg.kind == Argument::Kind::kConstant) return arg.constant;
    std::vector<Tensor> list;
    for (const ValueRef& v : arg.refs) list.push_back(tensor_of(compiled.program_.value(v)));
    return arg.kind == Argument::Kind::kValue ? IValue(list[0]) : IValue(list);
  }

  static void call(void* context, int64_t index, const void** results) {
    Frame& frame = *static_cast<Frame*>(context);
    const OpaqueStep& step = frame.compiled.code_.calls[static_cast<size_t>(index)];
    const Node& node = frame.compiled.graph_.nodes[step.graph_node];
    Stack stack;
    for (const Argument& arg : node.args) stack.push_back(frame.argument(arg));
    node.op.callBoxed(stack);
    std::vector<Tensor> tensors;
    for (const IValue& v : stack) {
      if (v.isTensorList()) {
        for (const Tensor& t : v.toTensorVector()) tensors.push_back(t);
      } else {
        tensors.push_back(v.toTensor());
      }
    }
    GB_CHECK_OR_THROW(
        tensors.size() == node.results.size(), Error,
        .what = fmt::format("gb::compile: {} returned another number of tensors than its fake kernel",
                            toString(node.op.operator_name())),
        .cause = fmt::format("the fake kernel gave {}, the real one {}", node.results.size(), tensors.size()),
        .repair = "make register_fake return what the operator returns", .chapter = chapters::kCompile);
    for (size_t i = 0; i < tensors.size(); ++i) {
      GB_CHECK_OR_THROW(
          tensors[i].defined() && same_layout(tensors[i], node.results[i]), Error,
          .what = fmt::format("gb::compile: the fake kernel of {} disagrees with its real one",
                              toString(node.op.operator_name())),
          .cause = fmt::format(
              "result {}: the fake kernel said {}, the real one returned {}", i, to_string(node.results[i]),
              tensors[i].defined() ? to_string(TensorMeta::of(tensors[i])) : "an undefined tensor"),
          .repair = "make register_fake return a tensor of the sizes, strides and dtype of the real result",
          .chapter = chapters::kCompile);
      results[i] = tensors[i].const_data_ptr();
      frame.tensors[step.buffers[i]] = std::move(tensors[i]);
    }
  }
};

CompiledGraph::CompiledGraph(Graph graph) : graph_(std::move(graph)) {
  if (log_enabled(CompileLog::graph_code)) log(CompileLog::graph_code, to_string(graph_));
  program_ = lower(graph_);
  code_ = generate_cpp(graph_, program_, schedule(program_));
  if (log_enabled(CompileLog::output_code)) log(CompileLog::output_code, code_.source);
  build_ = build_and_load(code_.source, code_.entry);
}

bool CompiledGraph::returns_an_input() const {
  return std::any_of(program_.outputs.begin(), program_.outputs.end(),
                     [&](const Value& v) { return program_.buffers[v.buffer].kind == Buffer::Kind::kInput; });
}

std::vector<Tensor> CompiledGraph::run(const std::vector<Tensor>& caller_inputs) const {
  const AutoDispatchBelowADInplaceOrView below_autograd;
  Frame frame{*this, std::vector<Tensor>(program_.buffers.size())};
  std::vector<const void*> inputs;
  size_t next = 0;
  for (size_t i = 0; i < graph_.inputs.size(); ++i) {
    frame.tensors[i] = graph_.inputs[i].lifted ? graph_.inputs[i].tensor : caller_inputs[next++];
    inputs.push_back(frame.tensors[i].const_data_ptr());
  }
  std::vector<void*> buffers;
  std::vector<Tensor> scratch;
  for (size_t k = 0; k < code_.slots.size(); ++k) {
    const TensorMeta& meta = program_.buffers[code_.slots[k]].meta;
    Tensor& owner = code_.slot_is_row[k] ? scratch.emplace_back() : frame.tensors[code_.slots[k]];
    owner = code_.slot_is_row[k] ? empty_cpu({code_.slot_elements[k]}, meta.dtype)
                                 : empty_strided_on(kCPU, meta.sizes, meta.strides, meta.dtype);
    buffers.push_back(owner.mutable_data_ptr());
  }
  const Host host{&frame, &call_gemm, &Frame::call};
  build_.library->entry()(&host, inputs.data(), buffers.data());

  std::vector<Tensor> outputs;
  for (const Value& v : program_.outputs) {
    Tensor t = frame.tensor_of(v);
    // Returned twice: two tensors on the same memory, since each gets a history of its own.
    const bool again =
        std::any_of(outputs.begin(), outputs.end(), [&](const Tensor& o) { return o.is_same(t); });
    outputs.push_back(again ? view_of(t, {v.buffer, v.sizes, v.strides, 0, v.dtype}) : t);
  }
  return outputs;
}

}  // namespace gb::compiler
