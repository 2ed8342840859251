#include "core/device.h"

#include <fmt/format.h>

#include <charconv>

#include "core/array_ref.h"
#include "core/error.h"

namespace gb {

const char* toString(DeviceType type) {
  switch (type) {
    case kCPU: return "cpu";
    case kCUDA: return "cuda";
    case kMeta: return "meta";
    case kPrivateUse1: return "privateuseone";
    case kXLA: return "xla";
    case kLazy: return "lazy";
  }
  return "unknown";
}

std::string Device::str() const {
  return has_index() ? fmt::format("{}:{}", toString(type_), index_) : toString(type_);
}

Device::Device(const std::string& text) : type_(kCPU), index_(-1) {
  const size_t colon = text.find(':');
  const std::string word = text.substr(0, colon);
  bool known = false;
  for (DeviceType type : {kCPU, kCUDA, kMeta, kPrivateUse1, kXLA, kLazy}) {
    if (word == toString(type)) {
      type_ = type;
      known = true;
    }
  }
  if (known && colon != std::string::npos) {
    int index = -1;
    const char *first = text.data() + colon + 1, *last = text.data() + text.size();
    const auto [end, failure] = std::from_chars(first, last, index);
    known = failure == std::errc() && end == last && index >= 0 && index < 128 && *first != '+';
    index_ = static_cast<DeviceIndex>(index);
  }
  GB_CHECK_OR_THROW(known, ValueError, .what = "Device: not a device string", .cause = fmt::format("\"{}\"", text),
                    .repair = "write cpu, cuda, meta or privateuseone, with an index where wanted: cuda:0",
                    .chapter = chapters::kTensors);
}

std::string to_string(IntArrayRef values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

}  // namespace gb
