#include "core/context.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb {

Context& globalContext() {
  static constinit Context context;
  return context;
}

void Context::setFloat32MatmulPrecision(std::string_view precision) {
  if (precision == "highest") return setFloat32MatmulPrecision(Float32MatmulPrecision::HIGHEST);
  if (precision == "high") return setFloat32MatmulPrecision(Float32MatmulPrecision::HIGH);
  if (precision == "medium") return setFloat32MatmulPrecision(Float32MatmulPrecision::MEDIUM);
  GB_THROW(ValueError, .what = fmt::format("no such precision of float32 products: \"{}\"", precision),
           .cause = "there are \"highest\" (float32), \"high\" and \"medium\" (TF32)",
           .repair = "give one of the three", .chapter = chapters::kKernels);
}

}  // namespace gb
