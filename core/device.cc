#include "core/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <memory>

#include "core/array_ref.h"
#include "core/error.h"

namespace gb {
namespace {

// Set once and never freed, so that toString may hand it out.
std::atomic<const std::string*> g_privateuse1{nullptr};
constexpr DeviceType kAllTypes[] = {kCPU, kCUDA, kMeta, kPrivateUse1, kXLA, kLazy};

bool is_word(const std::string& text) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_part);
}

}  // namespace

void register_privateuse1_backend(const std::string& name) {
  bool taken = name == "privateuseone";
  for (DeviceType type : kAllTypes) taken |= type != kPrivateUse1 && name == toString(type);
  GB_CHECK_OR_THROW(is_word(name) && !taken, ValueError, .what = "register_privateuse1_backend: not a usable name",
                    .cause = taken ? fmt::format("\"{}\" is a device already", name)
                                   : fmt::format("\"{}\" is not made of letters, digits and _", name),
                    .repair = "choose a word of your own", .chapter = chapters::kTensors);
  auto fresh = std::make_unique<const std::string>(name);
  const std::string* before = nullptr;
  if (g_privateuse1.compare_exchange_strong(before, fresh.get())) {
    fresh.release();
    return;
  }
  GB_CHECK_OR_THROW(*before == name, Error, .what = "register_privateuse1_backend: it has already been set",
                    .cause = fmt::format("the backend's name is \"{}\", and \"{}\" was to replace it", *before, name),
                    .repair = "a program has one PrivateUse1 backend; register it once", .chapter = chapters::kTensors);
}

bool is_privateuse1_backend_registered() { return g_privateuse1 != nullptr; }

std::string get_privateuse1_backend(bool lower_case) {
  std::string name = toString(kPrivateUse1);
  for (char& c : name) c = static_cast<char>(lower_case ? std::tolower(static_cast<unsigned char>(c)) : c);
  return name;
}

const char* toString(DeviceType type) {
  switch (type) {
    case kCPU: return "cpu";
    case kCUDA: return "cuda";
    case kMeta: return "meta";
    case kPrivateUse1: {
      const std::string* name = g_privateuse1;
      return name ? name->c_str() : "privateuseone";
    }
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
  for (DeviceType type : kAllTypes) {
    if (word == toString(type) || (type == kPrivateUse1 && word == "privateuseone")) {
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
                    .repair = "write cpu, cuda, meta or privateuseone (or its registered name), with an index where wanted: cuda:0",
                    .chapter = chapters::kTensors);
}

std::string to_string(IntArrayRef values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

}  // namespace gb
