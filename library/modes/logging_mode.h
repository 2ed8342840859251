// LoggingMode: one line per operator call of its thread, as it arrives below autograd.
//
//   $3: f32[2, 600] = aten::_softmax($2, -1, False)
//
// A number stands for elements in memory: storage, offset, sizes and strides, in the order of first sight. So
// what an in-place operator, detach, or a node's unpacked SavedVariable gives back has the number of the
// original, and a view of another shape has its own. Keyword-only arguments are named, and left out where
// they have their default. Invariants: changes nothing of what runs, for it holds no tensor and no memory
// (AccumulateGrad would then clone a gradient that it otherwise takes over). A result in memory that no
// argument has is new, whatever lay there before; only a tensor made out of sight, by no operator, may get
// the number of a dead one whose place it took. After subclass_zoo's logging_mode.py and
// torch/testing/_internal/logging_tensor.py.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "dispatcher/dispatch_mode.h"

namespace gb {

class LoggingMode final : public DispatchMode {
 public:
  void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override;
  const std::vector<std::string>& lines() const { return lines_; }
  std::string text() const;  // the lines, each with its end

 private:
  // Offset, sizes, strides; and dtype and device, by which most strangers in a dead tensor's place differ.
  using Geometry = std::tuple<int64_t, std::vector<int64_t>, std::vector<int64_t>, ScalarType, DeviceType>;
  std::string number(const Tensor& t);
  std::string spell(const IValue& value, const Type& type);
  std::string spell_arguments(const FunctionSchema& schema, ArrayRef<IValue> values);

  std::map<const void*, std::map<Geometry, size_t>> numbers_;  // by storage
  std::set<const void*> in_call_;                              // storages of the call that is being spelled
  size_t next_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace gb
