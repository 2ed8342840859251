// Capture: running a callable once on fake tensors, and writing down every operator it calls.
//
// The inputs are replaced by fakes: Meta tensors of the same sizes, strides and dtype, so that nothing is
// computed; the real device is remembered in the graph. A CaptureMode stands at the mode key and sees each
// call with the autograd keys off. An operator that is made of others (CompositeImplicitAutograd) is taken
// apart until what is left has a kernel of its own: `linear` arrives in the graph as `t` and `addmm`. A real
// tensor that turns up as an argument is a parameter or a constant that the callable holds: it is lifted,
// that is, it becomes an input of the graph, with a fake in its place. In PyTorch: ProxyTorchDispatchMode and
// FakeTensorMode.
//
// t_, squeeze_ and their like give a tensor other sizes and strides and write no element: for the graph it is from then on
// what t, squeeze, ... return. (Of an input that would show outside, so there it is a write like others.)
//
// Refused with a four-part NotImplementedError: operators that write to an argument, tensors on two devices.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compile/graph.h"
#include "dispatcher/dispatch_mode.h"

namespace gb::compiler {

using TensorFunction = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

// Names for the printed graph and code; all may be left out.
struct CaptureNames {
  std::vector<std::string> inputs;                         // in the caller's order; else x, or x0, x1, ...
  std::vector<std::pair<std::string, Tensor>> parameters;  // else lifted, lifted_1, ...
};

class CaptureMode final : public DispatchMode {
 public:
  CaptureMode(const std::vector<Tensor>& inputs, CaptureNames names);

  const std::vector<Tensor>& fakes() const { return fakes_; }  // pass these to the callable
  Graph finish(const std::vector<Tensor>& outputs) &&;         // outputs: what the callable returned
  void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override;

 private:
  Tensor add_input(const Tensor& real, std::string name, bool lifted);
  void check_device(const Tensor& real, const std::string& name) const;
  // The fake that stands for `t` (t itself, if it is one), and the value it is in the graph.
  Tensor fake_of(const Tensor& t);
  Argument record_argument(IValue& value);  // replaces real tensors and devices in `value` by fakes
  bool record_inplace_view(const OperatorHandle& op, Stack* stack);  // false: `op` is none, or of an input
  void record_results(const OperatorHandle& op, std::vector<Argument> args, const Stack& stack, size_t first);

  Graph graph_;
  CaptureNames names_;
  std::vector<Tensor> fakes_;
  std::unordered_map<const TensorImpl*, ValueRef> values_;  // fakes -> what they are in the graph
  std::unordered_map<const TensorImpl*, Tensor> lifted_;    // real tensors -> their fakes
  std::vector<Tensor> keep_alive_;                          // so that no address in the maps is used twice
};

// All of it: `fn` runs once. An exception of `fn` passes through, with a context line added to a gb::Error.
Graph capture(const TensorFunction& fn, const std::vector<Tensor>& inputs, const CaptureNames& names = {});

// Is this thread inside of capture()?
bool is_capturing();

}  // namespace gb::compiler
