#include "core/context.h"

#include <doctest/doctest.h>

#include "core/error.h"

using namespace gb;

TEST_CASE("the precision of float32 products and allowTF32CuBLAS are one setting, as in PyTorch") {
  CHECK_FALSE(globalContext().allowTF32CuBLAS());
  CHECK(globalContext().float32MatmulPrecision() == Float32MatmulPrecision::HIGHEST);
  globalContext().setAllowTF32CuBLAS(true);
  CHECK(globalContext().float32MatmulPrecision() == Float32MatmulPrecision::HIGH);
  globalContext().setFloat32MatmulPrecision("medium");
  CHECK(globalContext().allowTF32CuBLAS());
  CHECK_THROWS_WITH_AS(globalContext().setFloat32MatmulPrecision("low"), doctest::Contains("\"low\""), ValueError);
  CHECK(globalContext().float32MatmulPrecision() == Float32MatmulPrecision::MEDIUM);  // nothing changed
  globalContext().setFloat32MatmulPrecision("highest");
  CHECK_FALSE(globalContext().allowTF32CuBLAS());
}
