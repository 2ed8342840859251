// The calls of set_ that the generic tests make.
#pragma once

#include "core/allocator.h"
#include "core/storage.h"
#include "tests/op_case.h"

namespace gb::tests {

// 48 bytes of zeros.
inline IValue case_storage() {
  Storage storage(Storage::use_byte_size_t(), 48, GetCPUAllocator(), /*resizable=*/true);
  std::fill_n(static_cast<char*>(storage.mutable_data()), storage.nbytes(), char{0});
  return IValue(storage);
}

inline std::vector<OpCase> set_cases() {
  return {
      op("aten::set_").on(input({2, 3}).constant()),
      op("aten::set_.source_Tensor").on(input({2, 3}).constant(), input({4}).constant()),
      op("aten::set_.source_Tensor", "transposed").on(input({2}).constant(), input({3, 4}).transposed().constant()),
      op("aten::set_.source_Tensor", "0-d").on(input({2}).stepped().constant(), input({}).constant()),
      op("aten::set_.source_Tensor_storage_offset").on(input({2, 3}).constant(), input({6}).constant(), 1, ints({2}), ints({2})),
      op("aten::set_.source_Tensor_storage_offset", "no strides")
          .on(input({2}).constant(), input({6}).constant(), 0, ints({2, 3})),
      op("aten::set_.source_Tensor_storage_offset", "grows")
          .on(input({2}).constant(), input({2}).constant(), 1, ints({3})).undefined_values().without_meta(),
      op("aten::set_.source_Tensor_storage_offset", "negative offset")
          .on(input({2}).constant(), input({6}).constant(), -1, ints({2})).throws(),
      op("aten::set_.source_Tensor_storage_offset", "negative stride")
          .on(input({2}).constant(), input({6}).constant(), 3, ints({2}), ints({-1})).throws(),
      op("aten::set_.source_Tensor_storage_offset", "a stride too many")
          .on(input({2}).constant(), input({6}).constant(), 0, ints({2}), ints({1, 1})).throws(),
      // A storage of this process: not on Meta, and not one of LibTorch's.
      op("aten::set_.source_Storage").on(input({2, 3}).constant(), case_storage()).without_meta().not_in_libtorch(),
      op("aten::set_.source_Storage_storage_offset")
          .on(input({2, 3}).constant(), case_storage(), 1, ints({2}), ints({2})).without_meta().not_in_libtorch(),
  };
}

}  // namespace gb::tests
