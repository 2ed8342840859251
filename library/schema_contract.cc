#include "library/schema_contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/bfloat16.h"
#include "core/device_hooks.h"
#include "core/half.h"
#include "library/boxed_tensors.h"
#include "library/registration.h"

namespace gb {
namespace {

// The whole storage, on the host. Empty for Meta, which has none.
std::vector<std::byte> bytes_of(const Tensor& t) {
  if (t.is_meta() || !t.has_storage() || !t.storage().data()) return {};
  std::vector<std::byte> bytes(t.storage().nbytes());
  if (t.is_cpu()) {
    if (!bytes.empty()) std::memcpy(bytes.data(), t.storage().data(), bytes.size());
  } else if (DeviceHooks* hooks = device_hooks(t.device().type())) {
    hooks->copy(bytes.data(), Device(kCPU), t.storage().data(), t.device(), bytes.size());
  }
  return bytes;
}

template <class T>
T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

std::string element(const std::byte* at, ScalarType dtype) {
  switch (dtype) {
    case kDouble:
      return fmt::format("{}", read<double>(at));
    case kFloat:
      return fmt::format("{}", read<float>(at));
    case kHalf:
      return fmt::format("{}", static_cast<float>(read<Half>(at)));
    case kBFloat16:
      return fmt::format("{}", static_cast<float>(read<BFloat16>(at)));
    case kLong:
      return fmt::format("{}", read<int64_t>(at));
    case kInt:
      return fmt::format("{}", read<int32_t>(at));
    default:
      return fmt::format("{}", static_cast<unsigned>(read<uint8_t>(at)));
  }
}

// "element 1 was 1 and is 7; 1 of the 3 elements in its storage changed"
std::string byte_difference(const std::vector<std::byte>& was, const std::vector<std::byte>& is, const Tensor& t) {
  const size_t width = t.itemsize(), n = std::min(was.size(), is.size()) / width;
  size_t first = n, changed = 0;
  for (size_t i = 0; i < n; ++i) {
    if (std::memcmp(&was[i * width], &is[i * width], width) == 0) continue;
    if (changed++ == 0) first = i;
  }
  if (changed == 0) return was.size() == is.size() ? "" : "its storage was resized";
  const std::byte *before = &was[first * width], *after = &is[first * width];
  std::string text = fmt::format("element {} was {} and is {}", first, element(before, t.scalar_type()),
                                 element(after, t.scalar_type()));
  const auto byte = static_cast<size_t>(std::mismatch(before, before + width, after).first - before);
  text += fmt::format(" (byte {}: 0x{:02x}, 0x{:02x})", first * width + byte, static_cast<unsigned>(before[byte]),
                      static_cast<unsigned>(after[byte]));
  return text + fmt::format("; {} of the {} elements in its storage changed", changed, n);
}

bool alias(const Tensor& a, const Tensor& b) { return a.is_same(b) || (a.has_storage() && a.is_alias_of(b)); }

bool any_alias(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Tensor& x) {
    return std::any_of(b.begin(), b.end(), [&](const Tensor& y) { return alias(x, y); });
  });
}

SchemaArgument input(size_t i) { return {SchemaArgType::input, i}; }

}  // namespace

SchemaContract::Snapshot::Snapshot(const Tensor& t)
    : tensor(t), sizes(t.sizes().vec()), strides(t.strides().vec()), storage(t.storage()), bytes(bytes_of(t)) {}

std::string SchemaContract::Snapshot::difference() const {
  const auto changed = [](const char* what, IntArrayRef was, IntArrayRef is) {
    return fmt::format("its {} were {} and are {}", what, to_string(was), to_string(is));
  };
  if (!(tensor.sizes() == IntArrayRef(sizes))) return changed("sizes", sizes, tensor.sizes());
  if (!(tensor.strides() == IntArrayRef(strides))) return changed("strides", strides, tensor.strides());
  if (tensor.storage().unsafeGetStorageImpl() != storage.unsafeGetStorageImpl()) return "it has another storage";
  return byte_difference(bytes, bytes_of(tensor), tensor);
}

SchemaContract::SchemaContract(const FunctionSchema& schema, ArrayRef<IValue> arguments) : schema_(schema) {
  for (const IValue& value : arguments) {
    arguments_.push_back(tensors_in(value));
    snapshots_.emplace_back(arguments_.back().begin(), arguments_.back().end());
  }
}

void SchemaContract::violation(const std::string& what, const std::string& rule, const std::string& evidence,
                               const char* repair) const {
  GB_THROW(
      SchemaCheckError, .what = fmt::format("{}: {}", toString(schema_.operator_name()), what),
      .cause = fmt::format("contract: {}\n           {}\n           evidence: {}", to_string(schema_), rule, evidence),
      .repair = repair, .chapter = chapters::kCustomOps);
}

// A tensor that shares memory with a declared one changes with it.
bool SchemaContract::shares_with_written(const Tensor& t) const {
  for (size_t j = 0; j < arguments_.size(); ++j) {
    if (schema_.is_mutable(input(j)) && any_alias({t}, arguments_[j])) return true;
  }
  return false;
}

// Does result `o` have an alias set in common with argument `i`, or with one that was passed the same memory, as in
// x.add_(x)?
bool SchemaContract::declared(size_t o, size_t i) const {
  for (size_t j = 0; j < arguments_.size(); ++j) {
    const bool same_memory = j == i || any_alias(arguments_[i], arguments_[j]);
    if (same_memory && detail::declares_alias(schema_.returns()[o], schema_.arguments()[j])) return true;
  }
  return false;
}

void SchemaContract::check_arguments() const {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (schema_.is_mutable(input(i))) continue;
    for (const Snapshot& s : snapshots_[i]) {
      const std::string difference = s.difference();
      if (difference.empty() || shares_with_written(s.tensor)) continue;
      const std::string& name = schema_.arguments()[i].name();
      violation(fmt::format("Argument {} is not defined as mutable but was mutated", name),
                fmt::format("`{}` has no `!`: a call leaves it as it is", to_string(schema_.arguments()[i])),
                difference, "write `Tensor(a!)` for the argument, or work on a copy of it");
    }
  }
}

void SchemaContract::check_results(ArrayRef<IValue> values) const {
  std::vector<std::vector<Tensor>> results;
  for (size_t o = 0; o < values.size(); ++o) {
    results.push_back(tensors_in(values[o]));
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (!any_alias(results[o], arguments_[i]) || declared(o, i)) continue;
      const std::string& name = schema_.arguments()[i].name();
      violation(fmt::format("Argument {} is not defined to alias output but was aliasing", name),
                fmt::format("`{}` and output {} have no alias set in common: they share no memory",
                            to_string(schema_.arguments()[i]), o),
                fmt::format("output {} shares the storage of {}", o, name),
                "return a copy, or give both the same alias set: `Tensor(a) x ... -> Tensor(a)`");
    }
    for (size_t p = 0; p < o; ++p) {
      if (!any_alias(results[o], results[p]) || detail::declares_alias(schema_.returns()[o], schema_.returns()[p]))
        continue;
      violation(fmt::format("Outputs {} and {} alias unexpectedly", p, o),
                "the two have no alias set in common: they share no memory", "they share one storage",
                "return a copy of one of them, or give both the same alias set");
    }
  }
}

void SchemaContract::check(ArrayRef<IValue> results) const {
  check_arguments();
  check_results(results);
}

}  // namespace gb
