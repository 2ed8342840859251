// Built with -DNDEBUG, as the wheel is.
#include "tests/libtorch/tape_api_libtorch.h"
#include "tests/libtorch/tape_geometry_programs_of.h"
#include "tests/libtorch/tape_programs_of.h"

namespace gb::tests::tape {

Lines libtorch_programs() {
  Lines all = Programs<LibTorchApi>().run();
  for (std::string& line : GeometryPrograms<LibTorchApi>().run()) all.push_back(std::move(line));
  return all;
}

}  // namespace gb::tests::tape
