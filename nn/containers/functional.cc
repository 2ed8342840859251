#include "nn/containers/functional.h"

#include <ostream>

namespace gb::nn {

void FunctionalImpl::pretty_print(std::ostream& stream) const { stream << "gb::nn::Functional()"; }

}  // namespace gb::nn
