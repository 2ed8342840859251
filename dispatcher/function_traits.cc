#include "dispatcher/function_traits.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace gb {

std::string demangle(const char* mangled_name) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled_name, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : mangled_name;
}

}  // namespace gb
