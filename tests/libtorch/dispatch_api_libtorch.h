// LibTorchApi: LibTorch's names, for the templates that both libraries share. Includes LibTorch: only for the
// bridges.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <map>
#include <sstream>

namespace gb::tests::dispatch {

struct LibTorchApi {
  using Tensor = at::Tensor;
  using TensorList = at::TensorList;
  using IntArrayRef = at::IntArrayRef;
  using Scalar = at::Scalar;
  template <class T>
  using ArrayRef = at::ArrayRef<T>;
  template <class T>
  using List = c10::List<T>;
  using DispatchKey = c10::DispatchKey;
  using DispatchKeySet = c10::DispatchKeySet;
  using Dispatcher = c10::Dispatcher;
  using OperatorHandle = c10::OperatorHandle;
  using OperatorKernel = c10::OperatorKernel;
  using OperatorName = c10::OperatorName;
  using Library = torch::Library;
  using CppFunction = torch::CppFunction;
  using Stack = torch::jit::Stack;
  using IValue = c10::IValue;
  using ForceDispatchKeyGuard = c10::impl::ForceDispatchKeyGuard;
  using ExcludeDispatchKeyGuard = c10::impl::ExcludeDispatchKeyGuard;
  static constexpr DispatchKeySet default_included = c10::default_included_set,
                                  default_excluded = c10::default_excluded_set;

  static CppFunction dispatch(DispatchKey key, CppFunction&& f) { return torch::dispatch(key, std::move(f)); }
  static std::string message(const std::exception& e) {
    const auto* error = dynamic_cast<const c10::Error*>(&e);
    return error ? error->what_without_backtrace() : e.what();
  }

  // LibTorch calls a null pointer where neither the operator nor the key's fallback has a kernel.
  static void call_for_key(const OperatorHandle& op, DispatchKey key, Stack& stack) {
    const bool has_fallback =
        !c10::isAliasDispatchKey(key) && Dispatcher::singleton().hasBackendFallbackForDispatchKey(key);
    if (!op.hasKernelForDispatchKey(key) && !has_fallback)
      throw std::runtime_error("no kernel: LibTorch would crash");
    op.callBoxedForDispatchKey(key, stack);
  }

  struct Impl : c10::TensorImpl {
    explicit Impl(DispatchKeySet keys)
        : TensorImpl(DispatchKeySet(), caffe2::TypeMeta::Make<float>(), c10::Device(c10::kCPU)) {
      key_set_ = keys;
    }
  };
  static Tensor make_tensor(DispatchKeySet keys) { return at::detail::make_tensor<Impl>(keys); }

  static std::vector<std::pair<std::string, DispatchKey>> keys() {
    std::vector<std::pair<std::string, DispatchKey>> all;
    for (uint16_t i = 0; i <= static_cast<uint16_t>(DispatchKey::EndOfAliasKeys); ++i)
      all.emplace_back(c10::toString(static_cast<DispatchKey>(i)), static_cast<DispatchKey>(i));
    return all;
  }

  // The functionalities that glassbox has too; the Autocast keys are one there.
  static std::string describe(DispatchKeySet ks) {
    std::string text;
    const auto add = [&](const char* name) { text += text.empty() ? name : std::string(" ") + name; };
    using K = DispatchKey;
    for (K key : {K::Dense, K::FPGA, K::Quantized, K::Sparse, K::BackendSelect, K::Python, K::Functionalize,
                  K::ADInplaceOrView, K::AutogradOther, K::AutogradFunctionality, K::Tracer})
      if (ks.has_any(DispatchKeySet(key))) add(c10::toString(key));
    if (ks.has_any(default_excluded)) add("AutocastFunctionality");
    for (K key : {K::TESTING_ONLY_GenericWrapper, K::TESTING_ONLY_GenericMode})
      if (ks.has_any(DispatchKeySet(key))) add(c10::toString(key));
    return text;
  }

  // The lines of dumpComputedTable() are computed anew; this compares them with the table that calls read.
  static bool table_is_consistent(const OperatorHandle& op) {
    try {
      op.checkInvariants();
      return true;
    } catch (const c10::Error&) {
      return false;
    }
  }

  // From lines such as "AutogradCPU: fallthrough step 3 [autograd kernel]".
  static std::map<std::string, std::string> table(const OperatorHandle& op) {
    std::map<std::string, std::string> slots;
    std::istringstream lines(op.dumpComputedTable());
    for (std::string line; std::getline(lines, line);) {
      const size_t colon = line.find(": "), bracket = line.rfind(" [");
      std::string text = line.substr(colon + 2, bracket - colon - 2);
      const bool falls_through = text.starts_with("fallthrough ");
      if (falls_through) text.erase(0, 12);
      const std::string reason = line.substr(bracket + 2, line.size() - bracket - 3);
      if (reason == "backend fallback") text = "fallback";
      if (reason == "ambiguous autogradother") text = "ambiguous";
      slots[line.substr(0, colon)] = text + (falls_through ? " fallthrough" : "");
    }
    return slots;
  }
};

}  // namespace gb::tests::dispatch
