#include "ops/common/checks.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb {

void throw_undefined(const char* op, const char* argument) {
  GB_THROW(Error,
           .what = fmt::format("{}: expected a tensor but got an undefined Tensor for argument '{}'", op,
                               argument),
           .cause = "a default-constructed Tensor has no dtype, no device and no elements",
           .repair = "pass a tensor made by a factory or an operator", .chapter = chapters::kTensors);
}

namespace {

[[noreturn]] void throw_two_devices(Device a, Device b, const char* op) {
  GB_THROW(Error,
           .what = fmt::format(
               "Expected all tensors to be on the same device, but found at least two devices, {} and "
               "{}!",
               a.str(), b.str()),
           .cause = fmt::format("{} got operands on both", op),
           .repair = fmt::format("move one operand: b.to(Device(\"{}\"))", a.str()),
           .chapter = chapters::kTensors);
}

bool goes_anywhere(const Tensor& t) { return t.dim() == 0 && t.is_cpu(); }

// First and last byte that t's elements lie in. REQUIRES numel > 0.
struct Range {
  int64_t begin, end;
};
Range bytes_of(const Tensor& t) {
  const auto item = static_cast<int64_t>(t.itemsize());
  int64_t last = 0;
  for (int64_t d = 0; d < t.dim(); ++d) last += (t.sizes()[d] - 1) * t.strides()[d];
  return {t.storage_offset() * item, (t.storage_offset() + last + 1) * item};
}

}  // namespace

Device common_device(const Tensor& a, const Tensor& b, const char* op) {
  if (a.device() == b.device() || goes_anywhere(b)) return a.device();
  if (goes_anywhere(a)) return b.device();
  throw_two_devices(a.device(), b.device(), op);
}

void check_same_device_as(const Tensor& t, Device device, const char* op) {
  if (!(t.device() == device)) throw_two_devices(device, t.device(), op);
}

void check_no_internal_overlap(const Tensor& written, const char* op) {
  if (written.is_contiguous()) return;
  for (int64_t d = 0; d < written.dim(); ++d) {
    GB_CHECK_OR_THROW(
        written.sizes()[d] <= 1 || written.strides()[d] != 0, Error,
        .what = fmt::format(
            "{}: unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location",
            op),
        .cause = fmt::format("shape {}, strides {}: stride 0 in dimension {} repeats {} elements",
                             to_string(written.sizes()), to_string(written.strides()), d, written.sizes()[d]),
        .repair = "clone() the tensor before the operation: a clone has memory for every element",
        .chapter = chapters::kTensors);
  }
}

namespace {

enum class Overlap { kNone, kPartial, kFull };

// kNone also where it is too hard to say.
Overlap overlap_of(const Tensor& written, const Tensor& read) {
  if (written.is_same(read)) return Overlap::kFull;
  if (!written.is_alias_of(read) || written.numel() == 0 || read.numel() == 0) return Overlap::kNone;
  if (!written.is_non_overlapping_and_dense() || !read.is_non_overlapping_and_dense()) return Overlap::kNone;
  const Range w = bytes_of(written), r = bytes_of(read);
  if (w.end <= r.begin || r.end <= w.begin) return Overlap::kNone;
  const bool identical = w.begin == r.begin && w.end == r.end && written.sizes() == read.sizes() &&
                         written.strides() == read.strides();
  return identical ? Overlap::kFull : Overlap::kPartial;
}

void check_overlap(bool allowed, const Tensor& written, const Tensor& read, const char* op) {
  GB_CHECK_OR_THROW(
      allowed, Error,
      .what = fmt::format(
          "{}: unsupported operation: some elements of the input tensor and the written-to tensor "
          "refer to a single memory location",
          op),
      .cause = fmt::format(
          "both views of one storage: written shape {} strides {} offset {}, read shape {} strides "
          "{} offset {}",
          to_string(written.sizes()), to_string(written.strides()), written.storage_offset(),
          to_string(read.sizes()), to_string(read.strides()), read.storage_offset()),
      .repair = "clone() the tensor that is read before the operation", .chapter = chapters::kTensors);
}

}  // namespace

void check_no_partial_overlap(const Tensor& written, const Tensor& read, const char* op) {
  check_overlap(overlap_of(written, read) != Overlap::kPartial, written, read, op);
}

void check_no_overlap(const Tensor& written, const Tensor& read, const char* op) {
  check_overlap(overlap_of(written, read) == Overlap::kNone, written, read, op);
}

void check_can_cast(ScalarType from, ScalarType to, const char* op) {
  GB_CHECK_OR_THROW(
      canCast(from, to), Error,
      .what = fmt::format("{}: result type {} can't be cast to the desired output type {}", op,
                          toString(from), toString(to)),
      .cause = "an in-place operator keeps the dtype of the tensor it writes",
      .repair = fmt::format("convert first: x.to(k{}), or use the operator that returns a new tensor",
                            toString(from)),
      .chapter = chapters::kTensors);
}

}  // namespace gb
