#include "tests/libtorch/tape_api_glassbox.h"
#include "tests/libtorch/tape_programs_of.h"

namespace gb::tests::tape {

Lines glassbox_programs() { return Programs<GlassboxApi>().run(); }

}  // namespace gb::tests::tape
