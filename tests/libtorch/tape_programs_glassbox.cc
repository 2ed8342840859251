#include "tests/libtorch/tape_api_glassbox.h"
#include "tests/libtorch/tape_geometry_programs_of.h"
#include "tests/libtorch/tape_programs_of.h"

namespace gb::tests::tape {

Lines glassbox_programs() {
  Lines all = Programs<GlassboxApi>().run();
  for (std::string& line : GeometryPrograms<GlassboxApi>().run()) all.push_back(std::move(line));
  return all;
}

}  // namespace gb::tests::tape
