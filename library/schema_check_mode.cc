#include "library/schema_check_mode.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/device_hooks.h"

namespace gb {
namespace {

std::vector<Tensor> tensors_in(const IValue& v) {
  std::vector<Tensor> found;
  if (v.isTensor()) {
    if (v.toTensor().defined()) found.push_back(v.toTensor());
  } else if (v.isList()) {
    for (const IValue& element : v.toListRef()) {
      for (Tensor& t : tensors_in(element)) found.push_back(std::move(t));
    }
  }
  return found;
}

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

// What a tensor was like before the call.
struct Snapshot {
  explicit Snapshot(const Tensor& t)
      : tensor(t),
        sizes(t.sizes().vec()),
        strides(t.strides().vec()),
        storage(t.storage()),
        bytes(bytes_of(t)) {}

  // What changed, in words; empty when nothing did.
  std::string difference() const {
    if (!(tensor.sizes() == IntArrayRef(sizes))) {
      return fmt::format("its sizes were {} and are {}", to_string(IntArrayRef(sizes)),
                         to_string(tensor.sizes()));
    }
    if (!(tensor.strides() == IntArrayRef(strides))) {
      return fmt::format("its strides were {} and are {}", to_string(IntArrayRef(strides)),
                         to_string(tensor.strides()));
    }
    if (tensor.storage().unsafeGetStorageImpl() != storage.unsafeGetStorageImpl())
      return "it has another storage";
    const std::vector<std::byte> now = bytes_of(tensor);
    for (size_t i = 0; i < std::min(now.size(), bytes.size()); ++i) {
      if (now[i] != bytes[i]) {
        return fmt::format("element {} of its storage changed (byte {} was 0x{:02x} and is 0x{:02x})",
                           i / tensor.itemsize(), i, static_cast<unsigned>(bytes[i]),
                           static_cast<unsigned>(now[i]));
      }
    }
    return now.size() == bytes.size() ? "" : "its storage was resized";
  }

  Tensor tensor;
  std::vector<int64_t> sizes, strides;
  Storage storage;
  std::vector<std::byte> bytes;
};

bool any_alias(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  for (const Tensor& x : a) {
    for (const Tensor& y : b) {
      if (x.is_same(y) || (x.has_storage() && x.is_alias_of(y))) return true;
    }
  }
  return false;
}

SchemaArgument input(size_t i) { return {SchemaArgType::input, i}; }
SchemaArgument output(size_t i) { return {SchemaArgType::output, i}; }

[[noreturn]] void throw_violation(const FunctionSchema& schema, std::string what, std::string cause,
                                  const char* repair) {
  GB_THROW(SchemaCheckError, .what = fmt::format("{}: {}", schema.name(), what),
           .cause = fmt::format("{}\n           schema: {}", cause, toString(schema)), .repair = repair,
           .chapter = chapters::kCustomOps);
}

}  // namespace

void SchemaCheckMode::dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  const FunctionSchema& schema = op.schema();
  const size_t n = schema.arguments().size(), n_out = schema.returns().size();
  std::vector<std::vector<Tensor>> arguments(n);
  std::vector<std::vector<Snapshot>> before(n);
  for (size_t i = 0; i < n; ++i) {
    arguments[i] = tensors_in(jit::peek(*stack, i, n));
    for (const Tensor& t : arguments[i]) before[i].emplace_back(t);
  }
  op.redispatchBoxed(ks, stack);
  ++calls_checked_;

  for (size_t i = 0; i < n; ++i) {
    if (schema.is_mutable(input(i))) continue;
    for (const Snapshot& s : before[i]) {
      const std::string difference = s.difference();
      if (difference.empty()) continue;
      // A tensor that shares memory with a declared one changes with it.
      bool declared = false;
      for (size_t j = 0; j < n; ++j)
        declared |= schema.is_mutable(input(j)) && any_alias({s.tensor}, arguments[j]);
      if (declared) continue;
      throw_violation(
          schema,
          fmt::format("Argument {} is not defined as mutable but was mutated", schema.arguments()[i].name()),
          difference, "write `Tensor(a!)` for the argument, or work on a copy of it");
    }
  }
  std::vector<std::vector<Tensor>> results(n_out);
  for (size_t o = 0; o < n_out; ++o) {
    results[o] = tensors_in(jit::peek(*stack, o, n_out));
    for (size_t i = 0; i < n; ++i) {
      if (any_alias(results[o], arguments[i]) && !schema.may_contain_alias(output(o), input(i))) {
        throw_violation(schema,
                        fmt::format("Argument {} is not defined to alias output but was aliasing",
                                    schema.arguments()[i].name()),
                        fmt::format("output {} shares its storage", o),
                        "return a copy, or give both the same alias set: `Tensor(a) x ... -> Tensor(a)`");
      }
    }
    for (size_t p = 0; p < o; ++p) {
      if (any_alias(results[o], results[p]) && !schema.may_contain_alias(output(o), output(p))) {
        throw_violation(schema, fmt::format("Outputs {} and {} alias unexpectedly", p, o),
                        "they share one storage",
                        "return a copy of one of them, or give both the same alias set");
      }
    }
  }
}

}  // namespace gb
