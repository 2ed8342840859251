// What the dispatcher's tests share: tensors of a given backend without any operator, and the text of an error.
#pragma once

#include <string>
#include <vector>

#include "core/tensor.h"
#include "core/warning.h"
#include "dispatcher/library.h"

namespace gb::testing {

// Two float elements; `key` is a Dense runtime key. Only a CPU tensor has memory.
inline Tensor tensor(DispatchKey key = DispatchKey::CPU, float first = 0) {
  Tensor t = key == DispatchKey::CPU
                 ? gb::detail::make_tensor(Storage(Storage::use_byte_size_t(), 2 * sizeof(float), GetCPUAllocator()), key,
                                           TypeMeta(kFloat))
                 : gb::detail::make_tensor(key, TypeMeta(kFloat), std::nullopt);
  t.unsafeGetTensorImpl()->set_sizes_contiguous({2});
  if (key == DispatchKey::CPU) t.data_ptr<float>()[0] = t.data_ptr<float>()[1] = first;
  return t;
}
inline float value(const Tensor& t) { return t.const_data_ptr<float>()[0]; }

// The message of what `f` throws, without the place.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what_without_backtrace();
  }
  return "no error";
}
inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
inline bool starts_with(const std::string& text, const std::string& part) { return text.rfind(part, 0) == 0; }

// Keeps the warnings of a scope.
class Warnings : public WarningHandler {
 public:
  void process(const Warning& w) override { messages.push_back(w.msg()); }
  std::vector<std::string> messages;

 private:
  WarningUtils::WarningHandlerGuard guard_{this};
};

inline OperatorHandle find(const char* name, const char* overload = "") {
  return Dispatcher::singleton().findSchemaOrThrow(name, overload);
}
inline bool exists(const char* name) { return Dispatcher::singleton().findOp({name, ""}).has_value(); }

}  // namespace gb::testing
