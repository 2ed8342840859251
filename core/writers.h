// Writers: small numbers for the names of whatever writes tensors in place, so that a version counter can keep the last
// one beside the version.
//
//   static const uint32_t writer = intern_writer("aten::add_.Tensor");   // once
//   tensor.unsafeGetTensorImpl()->bump_version(writer);                  // at every write
//
// A number is never given back. 0 means nobody, or somebody who did not say. Not in PyTorch, whose errors name who
// saved a tensor but not who wrote it.
#pragma once

#include <cstdint>
#include <string_view>

namespace gb {

inline constexpr uint32_t kUnknownWriter = 0;

uint32_t intern_writer(std::string_view name);  // the same number for the same name; takes a lock
std::string_view writer_name(uint32_t writer);  // "" for kUnknownWriter

}  // namespace gb
