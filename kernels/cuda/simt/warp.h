// Warp operations under their CUDA names. simt.h includes this file; warp.cc carries them out.
#pragma once

#include <cstring>
#include <functional>
#include <type_traits>

namespace gb::simt {

// Values travel between lanes as 8 bytes.
template <class T>
T shuffle(WarpOp op, const char* name, unsigned mask, T value, int operand, int width, Site site) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>, "a shuffle moves 4 or 8 bytes");
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof(T));
  bits = warp_operation({op, name, mask, site, bits, operand, width});
  memcpy(&value, &bits, sizeof(T));
  return value;
}

// Combine: of two values of T, 4 bytes.
template <class Combine, class T>
T reduce(const char* name, unsigned mask, T value, Site site) {
  static_assert(sizeof(T) == 4 && std::is_integral_v<T>);
  const auto combine = [](uint64_t a, uint64_t b) {
    return static_cast<uint64_t>(Combine()(static_cast<T>(a), static_cast<T>(b)));
  };
  return static_cast<T>(
      warp_operation({WarpOp::Reduce, name, mask, site, static_cast<uint64_t>(value), 0, 32, combine}));
}
inline unsigned ballot(const char* name, unsigned mask, int predicate, Site site) {
  return reduce<std::bit_or<>>(name, mask, static_cast<unsigned>(predicate != 0) << lane_id(), site);
}

template <class T>
struct Wrapping {  // __reduce_add_sync of ints that overflow
  T operator()(T a, T b) const { return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b)); }
};
struct Smaller {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Larger {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

// All 32 lanes give a record; compute changes them together, each lane gets its own back: an instruction of a whole
// warp, such as mma.sync. It works on copies, so it orders nobody's memory, as no shuffle does.
template <class Record, class Compute>
void together(const char* name, Record& record, Compute, Site site) {
  static_assert(sizeof(Record) % 4 == 0 && sizeof(Record) <= kMostRecordBytes);
  static_assert(std::is_trivially_copyable_v<Record> && std::is_empty_v<Compute>);
  WarpRequest request = {WarpOp::Together, name, 0xffffffffu, site};
  request.record = &record;
  request.record_bytes = sizeof(Record);
  request.compute = [](void* records) { Compute()(static_cast<Record*>(records)); };
  warp_operation(request);
}

}  // namespace gb::simt

inline void __syncwarp(unsigned mask = 0xffffffffu, GB_SIMT_SITE) {
  gb::simt::warp_operation({gb::simt::WarpOp::Sync, "__syncwarp", mask, {file, line}});
}

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32, GB_SIMT_SITE) {
  return gb::simt::shuffle(gb::simt::WarpOp::Shuffle, "__shfl_sync", mask, value, lane, width, {file, line});
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, GB_SIMT_SITE) {
  return gb::simt::shuffle(gb::simt::WarpOp::ShuffleXor, "__shfl_xor_sync", mask, value, lane_mask, width,
                           {file, line});
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, GB_SIMT_SITE) {
  return gb::simt::shuffle(gb::simt::WarpOp::ShuffleDown, "__shfl_down_sync", mask, value,
                           static_cast<int>(delta), width, {file, line});
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, GB_SIMT_SITE) {
  return gb::simt::shuffle(gb::simt::WarpOp::ShuffleUp, "__shfl_up_sync", mask, value,
                           static_cast<int>(delta), width, {file, line});
}

inline unsigned __ballot_sync(unsigned mask, int predicate, GB_SIMT_SITE) {
  return gb::simt::ballot("__ballot_sync", mask, predicate, {file, line});
}
inline int __any_sync(unsigned mask, int predicate, GB_SIMT_SITE) {
  return gb::simt::ballot("__any_sync", mask, predicate, {file, line}) != 0;
}
inline int __all_sync(unsigned mask, int predicate, GB_SIMT_SITE) {
  return gb::simt::ballot("__all_sync", mask, !predicate, {file, line}) == 0;
}
// CUDA does not define which lanes it names, so it is refused, with the way to say it.
inline unsigned __activemask(GB_SIMT_SITE) { gb::simt::refuse_activemask({file, line}); }

// T: int or unsigned; every lane of the mask gets the result.
template <class T>
T __reduce_add_sync(unsigned mask, T value, GB_SIMT_SITE) {
  return gb::simt::reduce<gb::simt::Wrapping<T>>("__reduce_add_sync", mask, value, {file, line});
}
template <class T>
T __reduce_min_sync(unsigned mask, T value, GB_SIMT_SITE) {
  return gb::simt::reduce<gb::simt::Smaller>("__reduce_min_sync", mask, value, {file, line});
}
template <class T>
T __reduce_max_sync(unsigned mask, T value, GB_SIMT_SITE) {
  return gb::simt::reduce<gb::simt::Larger>("__reduce_max_sync", mask, value, {file, line});
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value, GB_SIMT_SITE) {
  return gb::simt::reduce<std::bit_and<>>("__reduce_and_sync", mask, value, {file, line});
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value, GB_SIMT_SITE) {
  return gb::simt::reduce<std::bit_or<>>("__reduce_or_sync", mask, value, {file, line});
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned value, GB_SIMT_SITE) {
  return gb::simt::reduce<std::bit_xor<>>("__reduce_xor_sync", mask, value, {file, line});
}
