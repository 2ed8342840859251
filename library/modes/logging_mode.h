// LoggingMode: one line per operator call of its thread, as it arrives below autograd.
//
//   $3: f32[2, 600] = aten::_softmax($2, -1, False)
//
// A number stands for elements in memory: storage, offset, sizes and strides, in the order of first sight. So what an
// in-place operator, detach, or a node's unpacked SavedVariable gives back has the number of the original, and a view of
// another shape has its own. Keyword-only arguments are named, and left out where they have their default.
// Invariants: changes nothing of what runs; keeps the memory of every tensor it named until it goes, so that no number
// is used twice. After subclass_zoo's logging_mode.py and torch/testing/_internal/logging_tensor.py.
#pragma once

#include <map>
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
  using Place = std::tuple<const void*, int64_t, std::vector<int64_t>, std::vector<int64_t>>;
  std::string number(const Tensor& t);
  std::string spell(const IValue& value, const Type& type);
  std::string spell_arguments(const FunctionSchema& schema, ArrayRef<IValue> values);

  std::map<Place, size_t> numbers_;
  std::vector<Storage> kept_;
  std::vector<std::string> lines_;
};

}  // namespace gb
