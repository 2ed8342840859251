// Random views: which view of a value of given sizes, and what its sizes are.
#pragma once

#include "tests/libtorch/random_tape_model.h"

namespace gb::tests::tape {

struct ViewChoice {
  const char* name;
  Sizes arguments;
  Sizes sizes;
  bool several = false;  // one of the views that one call returns
  bool overlaps = false;
};

// owns_memory: the value is no view, so that as_strided may reach into all of it.
ViewChoice random_view(Dice& dice, const Sizes& sizes, bool owns_memory);

}  // namespace gb::tests::tape
