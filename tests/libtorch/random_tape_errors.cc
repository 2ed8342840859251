#include "tests/libtorch/random_tape_errors.h"

#include <initializer_list>

namespace gb::tests::tape {
namespace {

struct Class {
  const char* name;
  std::initializer_list<const char*> words;  // any of them
};

// The first that fits counts.
const Class kClasses[] = {
    {"view of a leaf", {"a view of a leaf Variable that requires grad"}},
    {"leaf", {"a leaf Variable that requires grad"}},
    {"no-grad view of a view, base written", {"is a view of a view which was created in no_grad mode and its base"}},
    {"no-grad view of a view", {"is a view of a view which was created in no_grad mode"}},
    {"no-grad view, base written", {"A view was created in no_grad mode and its base"}},
    {"no-grad view", {"A view was created in no_grad mode"}},
    {"inference view of a view", {"is a view of a view which was created in inference mode"}},
    {"inference view, base written", {"A view was created in inference mode and its base"}},
    {"inference view", {"A view was created in inference mode"}},
    {"view, base written", {"is a view and its base or another view of its base has been"}},
    {"one of several views", {"is a view and is being modified inplace"}},
    {"inference tensor written", {"Inplace update to inference tensor outside InferenceMode is not allowed"}},
    {"inference tensor saved", {"Inference tensors cannot be saved"}},
    {"inference tensor requires grad", {"Setting requires_grad=True on inference tensor"}},
    {"inference tensor has no version", {"Inference tensors do not track version counter"}},
    {"second time", {"a second time"}},
    {"version", {"modified by an inplace operation"}},
    {"detached", {"detached in-place"}},
    {"detach_ of a view", {"Can't detach views in-place"}},
    {"unused", {"appears to not have been used in the graph"}},
    {"not scalar", {"implicitly created only for scalar outputs"}},
    {"hook without gradient", {"cannot register a hook on a variable that doesn't require gradient"}},
    {"retain_grad without gradient", {"can't retain_grad on Tensor that has requires_grad=False"}},
    {"no hook there", {"no hook at position"}},
    {"hook changed the size", {"has changed the size of value"}},
    {"hook made a gradient", {"can't replace a empty gradient", "can't replace an empty gradient"}},
    {"hook threw", {"thrown by a hook"}},
    {"not a leaf", {"can only change requires_grad flags of leaf variables"}},
    {"does not require grad", {"does not require grad", "do not require grad"}},
    {"set_data of another type", {"have incompatible tensor type"}},
    {"out= and requires grad", {"functions with out=... arguments don't support automatic differentiation"}},
    {"gradient of another shape", {"invalid gradient at index"}},
    {"leaf moved", {"leaf variable has been moved into the graph interior"}},
    {"overlap", {"single memory location"}},
    {"view does not fit", {"view size is not compatible"}},
    {"shape", {"must match the size of tensor", "is invalid for input of size", "cannot be multiplied",
               "The expanded size of the tensor", "doesn't match the broadcast shape", "broadcast", "the number of sizes provided"}},
    {"outside of the storage", {"out of bounds for storage"}},
    {"leaf of other sizes", {"the sizes of a leaf have changed"}},
    {"rank", {"zero-dimensional tensor (at position", "expects at least a 1-dimensional tensor", "cannot be applied to a 0-dim tensor",
              "expects a tensor with <= 2 dimensions", "the length of the desired ordering",
              "but tensor has no dimensions"}},
    {"dimension", {"Dimension out of range", "out of range for tensor of size", "exceeds dimension size"}},
};

}  // namespace

std::string kind_of_error(const std::string& message) {
  if (message.empty()) return "";
  for (const Class& kind : kClasses)
    for (const char* words : kind.words)
      if (message.find(words) != std::string::npos) return kind.name;
  return "other: " + message;
}

}  // namespace gb::tests::tape
