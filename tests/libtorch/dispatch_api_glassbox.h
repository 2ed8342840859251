// GlassboxApi: glassbox's names, for the templates that both libraries share.
#pragma once

#include <map>

#include "dispatcher/library.h"

namespace gb::tests::dispatch {

struct GlassboxApi {
  using Tensor = gb::Tensor;
  using TensorList = gb::TensorList;
  using IntArrayRef = gb::IntArrayRef;
  using Scalar = gb::Scalar;
  template <class T>
  using ArrayRef = gb::ArrayRef<T>;
  template <class T>
  using List = gb::List<T>;
  using DispatchKey = gb::DispatchKey;
  using DispatchKeySet = gb::DispatchKeySet;
  using Dispatcher = gb::Dispatcher;
  using OperatorHandle = gb::OperatorHandle;
  using OperatorKernel = gb::OperatorKernel;
  using OperatorName = gb::OperatorName;
  using Library = gb::Library;
  using CppFunction = gb::CppFunction;
  using Stack = gb::Stack;
  using IValue = gb::IValue;
  using ForceDispatchKeyGuard = gb::impl::ForceDispatchKeyGuard;
  using ExcludeDispatchKeyGuard = gb::impl::ExcludeDispatchKeyGuard;
  static constexpr DispatchKeySet default_included = gb::default_included_set,
                                  default_excluded = gb::default_excluded_set;

  static CppFunction dispatch(DispatchKey key, CppFunction&& f) { return gb::dispatch(key, std::move(f)); }
  static std::string message(const std::exception& e) {
    const auto* error = dynamic_cast<const gb::Error*>(&e);
    return error ? error->what_without_backtrace() : e.what();
  }

  static void call_for_key(const OperatorHandle& op, DispatchKey key, Stack& stack) {
    op.callBoxedForDispatchKey(key, stack);
  }

  struct Impl : TensorImpl {
    explicit Impl(DispatchKeySet keys) : TensorImpl(DispatchKeySet(), TypeMeta(kFloat), Device(kCPU)) {
      key_set_ = keys;
    }
  };
  static Tensor make_tensor(DispatchKeySet keys) { return gb::detail::make_tensor<Impl>(keys); }

  static std::vector<std::pair<std::string, DispatchKey>> keys() {
    std::vector<std::pair<std::string, DispatchKey>> all;
    for (uint16_t i = 0; i <= static_cast<uint16_t>(DispatchKey::EndOfAliasKeys); ++i) {
      const auto key = static_cast<DispatchKey>(i);
      const std::string name = toString(key);
      if (!name.starts_with("StartOf") && !name.starts_with("EndOf")) all.emplace_back(name, key);
    }
    return all;
  }

  static std::string describe(DispatchKeySet ks) {
    std::string text;
    for (uint16_t i = 1; i < num_functionality_keys; ++i) {
      const auto key = static_cast<DispatchKey>(i);
      if (ks.has_any(DispatchKeySet(key)))
        text += text.empty() ? toString(key) : std::string(" ") + toString(key);
    }
    return text;
  }

  static bool table_is_consistent(const OperatorHandle& op) {
    op.checkInvariants();  // throws
    return true;
  }

  static std::map<std::string, std::string> table(const OperatorHandle& op) {
    std::map<std::string, std::string> slots;
    for (const auto& [name, key] : keys()) {
      if (isAliasDispatchKey(key) || isPerBackendFunctionalityKey(key)) continue;
      const impl::RegisteredKernel& kernel = op.entry().slot(key);
      std::string text;
      switch (op.entry().reason(key)) {
        case impl::SlotReason::kMissing:
          continue;
        case impl::SlotReason::kBackendFallback:
          text = "fallback";
          break;
        case impl::SlotReason::kAmbiguousAutogradOther:
          text = "ambiguous";
          break;
        default:
          text = kernel.debug;
      }
      slots[name] = text + (kernel.kernel.isFallthrough() ? " fallthrough" : "");
    }
    return slots;
  }
};

}  // namespace gb::tests::dispatch
