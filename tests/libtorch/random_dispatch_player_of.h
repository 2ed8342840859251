// PlayerOf<Api>: the Player of one library. The same source serves both, because glassbox has LibTorch's
// names: Api says which namespace they come from, and holds the few things whose spelling differs.
#pragma once

#include <optional>
#include <vector>

#include "tests/libtorch/random_dispatch_player.h"

namespace gb::tests::dispatch {

template <class Api>
class PlayerOf final : public Player {
  using Tensor = typename Api::Tensor;
  using TensorList = typename Api::TensorList;
  using OptionalTensors = typename Api::template List<std::optional<Tensor>>;
  using DispatchKey = typename Api::DispatchKey;
  using DispatchKeySet = typename Api::DispatchKeySet;
  using OperatorHandle = typename Api::OperatorHandle;
  using Library = typename Api::Library;
  using CppFunction = typename Api::CppFunction;
  using Stack = typename Api::Stack;
  using IValue = typename Api::IValue;

 public:
  PlayerOf() {
    for (const auto& [name, key] : Api::keys()) keys_.emplace(name, key);
  }

  void start(const std::string& ns) override {
    libraries_.clear();
    ns_ = ns;
    for (int op = 0; op < kNumOperators; ++op) schema_owner_[op] = signature_[op] = 0;
  }

  std::string perform(const Step& step) override {
    try {
      libraries_[step.number] = registered(step);
    } catch (const std::exception& e) {
      libraries_.erase(step.number);
      return Api::message(e);
    }
    const bool defines =
        step.kind == Step::kDef || step.kind == Step::kDefWithKernel || step.kind == Step::kDefByName;
    if (defines) {
      schema_owner_[step.op] = step.number;
      signature_[step.op] = step.kind == Step::kDefByName ? step.kernel.signature : step.signature;
    }
    return "";
  }

  void undo(int number) override {
    libraries_.erase(number);
    for (int& owner : schema_owner_)
      if (owner == number) owner = 0;
  }

  Outcome call(const Call& call) override {
    Outcome outcome;
    const std::optional<OperatorHandle> op = find_schema(call.op);
    if (!op) return {.text = "no schema", .message = ""};
    hops_.clear();
    make_arguments(call, signature_[call.op]);
    const DispatchKeySet include =
        set_of(call.include) | (call.default_include ? Api::default_included : DispatchKeySet());
    const DispatchKeySet exclude =
        set_of(call.exclude) | (call.autocast ? DispatchKeySet() : Api::default_excluded);
    const typename Api::ForceDispatchKeyGuard guard(include, exclude);
    try {
      const int64_t result = run(*op, call, signature_[call.op]);
      outcome.text = hops_ + "= " + std::to_string(result);
    } catch (const std::exception& e) {
      outcome = {.text = hops_ + "error", .message = Api::message(e)};
    }
    return outcome;
  }

  std::map<std::string, std::string> table(int op) override {
    const auto handle = find_schema(op);
    if (!handle) return {};
    return Api::table(*handle);
  }

  bool repair_stale_slots(int op) override {
    const auto handle = find_schema(op);
    if (!handle || Api::table_is_consistent(*handle)) return false;
    {
      Library once = block(ns_, "Autograd");
      once.impl(kOperators[op], CppFunction::makeFallthrough());
    }  // off again, and the autograd slots are computed anew
    return Api::table_is_consistent(*handle);
  }

  std::string presence() override {
    std::string text;
    for (int op = 0; op < kNumOperators; ++op) {
      const auto found = Api::Dispatcher::singleton().findOp(name_of(op));
      text += !found ? "nothing " : found->hasSchema() ? "schema " : "kernels only ";
    }
    return text;
  }

  KeyNames key_names() override {
    KeyNames names;
    for (const auto& [name, key] : keys_) names.push_back(name);
    return names;
  }
  bool has_fallback(const std::string& key) override {
    return Api::Dispatcher::singleton().hasBackendFallbackForDispatchKey(keys_.at(key));
  }
  void add_fallthrough(const std::string& key) override {
    keep_fallback(key, CppFunction::makeFallthrough());
  }
  void add_refusal(const std::string& key) override {
    keep_fallback(key, CppFunction::makeNamedNotSupported());
  }

 private:
  // --- kernels
  template <class... A>
  struct Unboxed {
    PlayerOf* player;
    int number;
    int64_t operator()(A... a) const {
      player->note(number, nullptr, {}, a...);
      return number;
    }
  };
  template <class... A>
  struct UnboxedWithKeys {
    PlayerOf* player;
    int number, op;
    Kernel::Then then;
    int64_t operator()(DispatchKeySet ks, A... a) const {
      player->note(number, &ks, {}, a...);
      if (then == Kernel::kReturn || ks.highestPriorityTypeId() == DispatchKey::Undefined) return number;
      const auto handle = player->find_schema(op)->template typed<int64_t(A...)>();
      if (then == Kernel::kRedispatch) return handle.redispatch(below(ks), a...);
      const typename Api::ExcludeDispatchKeyGuard guard(ks.highestPriorityTypeId());
      return handle.call(a...);
    }
  };
  struct Boxed : Api::OperatorKernel {
    Boxed(PlayerOf* p, int n, Kernel::Then t) : player(p), number(n), then(t) {}
    void operator()(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
      const size_t n = op.schema().arguments().size();
      player->note(number, &ks, {stack->end() - static_cast<ptrdiff_t>(n), stack->end()});
      if (then == Kernel::kReturn || ks.highestPriorityTypeId() == DispatchKey::Undefined) {
        stack->erase(stack->end() - static_cast<ptrdiff_t>(n), stack->end());
        stack->emplace_back(static_cast<int64_t>(number));
      } else if (then == Kernel::kRedispatch) {
        op.redispatchBoxed(below(ks), stack);
      } else {
        const typename Api::ExcludeDispatchKeyGuard guard(ks.highestPriorityTypeId());
        op.callBoxed(stack);
      }
    }
    PlayerOf* player;
    int number;
    Kernel::Then then;
  };

  static DispatchKeySet below(DispatchKeySet ks) {
    return ks & DispatchKeySet(DispatchKeySet::FULL_AFTER, ks.highestPriorityTypeId());
  }

  // Writes the hop down: which kernel, the keys it received, and whether the arguments are those of the call.
  template <class... A>
  void note(int number, const DispatchKeySet* ks, const std::vector<IValue>& boxed, const A&... unboxed) {
    std::vector<intptr_t> seen;
    (flatten(unboxed, seen), ...);
    for (const IValue& value : boxed) flatten_boxed(value, seen);
    hops_ += std::to_string(number);
    if (ks) hops_ += "{" + Api::describe(*ks) + "}";
    hops_ += seen == expected_ ? " " : "!other arguments! ";
  }
  using Flat = std::vector<intptr_t>;
  static void flatten(const Tensor& t, Flat& to) {
    to.push_back(t.defined() ? reinterpret_cast<intptr_t>(t.unsafeGetTensorImpl()) : 0);
  }
  static void flatten(const std::optional<Tensor>& t, Flat& to) { flatten(t.value_or(Tensor()), to); }
  static void flatten(int64_t n, Flat& to) { to.push_back(n); }
  static void flatten(TensorList list, Flat& to) {
    for (const Tensor& t : list) flatten(t, to);
  }
  static void flatten(const OptionalTensors& list, Flat& to) {
    for (size_t i = 0; i < list.size(); ++i) flatten(std::optional<Tensor>(list.get(i)), to);
  }
  static void flatten_boxed(const IValue& v, Flat& to) {
    if (v.isTensor()) return flatten(v.toTensor(), to);
    if (v.isInt()) return flatten(v.toInt(), to);
    if (v.isNone()) return to.push_back(0);
    if (v.isTensorList()) return flatten(TensorList(v.toTensorVector()), to);
    for (const IValue& element : v.toListRef()) flatten_boxed(element, to);
  }

  // --- arguments
  void make_arguments(const Call& call, int signature) {
    tensors_.clear();
    for (const auto& keys : call.tensors)
      tensors_.push_back(keys ? Api::make_tensor(set_of(*keys)) : Tensor());
    expected_.clear();
    with_arguments(signature, [this]<class... A>(A... a) {
      (flatten(a, expected_), ...);
      return int64_t{0};
    });
  }
  Tensor tensor(size_t i) const { return tensors_.empty() ? Tensor() : tensors_[i % tensors_.size()]; }

  // f<A...>(arguments...) with the C++ types of the signature.
  template <class F>
  int64_t with_arguments(int signature, F&& f) {
    const Tensor first = tensor(0), second = tensor(1);
    const std::optional<Tensor> maybe = tensors_.empty() ? std::nullopt : std::make_optional(first);
    switch (signature) {
      case 0:
        return f.template operator()<const Tensor&>(first);
      case 1:
        return f.template operator()<const Tensor&, const Tensor&>(first, second);
      case 2:
        return f.template operator()<TensorList, int64_t>(TensorList(tensors_), 42);
      case 3:
        return f.template operator()<const std::optional<Tensor>&, int64_t>(maybe, -42);
      case 4:
        return f.template operator()<int64_t>(4242);
      default: {
        OptionalTensors list;
        for (const Tensor& t : tensors_) list.push_back(t.defined() ? std::make_optional(t) : std::nullopt);
        return f.template operator()<const OptionalTensors&, const Tensor&>(list, first);
      }
    }
  }

  int64_t run(const OperatorHandle& op, const Call& call, int signature) {
    return with_arguments(signature, [&]<class... A>(A... a) -> int64_t {
      if (call.how == Call::kTyped) return op.template typed<int64_t(A...)>().call(a...);
      if (call.how == Call::kTypedRedispatch)
        return op.template typed<int64_t(A...)>().redispatch(set_of(call.redispatch), a...);
      Stack stack;
      (stack.emplace_back(a), ...);
      if (call.how == Call::kBoxed)
        op.callBoxed(&stack);
      else if (call.how == Call::kBoxedRedispatch)
        op.redispatchBoxed(set_of(call.redispatch), &stack);
      else
        Api::call_for_key(op, keys_.at(call.key), stack);
      return stack.size() == 1 && stack[0].isInt() ? stack[0].toInt() : -1;
    });
  }

  // --- registration
  Library fragment() { return Library(Library::FRAGMENT, ns_, std::nullopt, "step", 0); }
  Library block(const std::string& ns, const std::string& key) {
    return Library(Library::IMPL, ns, keys_.at(key), "step", 0);
  }

  std::unique_ptr<Library> registered(const Step& step) {
    auto library = std::make_unique<Library>(fragment());
    const std::string name = kOperators[step.op], schema = name + kSignatures[step.signature];
    const auto with = [&](Library&& other) { *library = std::move(other); };
    switch (step.kind) {
      case Step::kLibrary:
        with(Library(Library::DEF, ns_, std::nullopt, "step", 0));
        break;
      case Step::kDef:
        library->def(schema.c_str());
        break;
      case Step::kDefWithKernel:
        library->def(schema.c_str(), function(step));
        break;
      case Step::kDefByName:
        library->def(name.c_str(), function(step));
        break;
      case Step::kImpl:
        if (step.key.empty()) {
          library->impl(name.c_str(), function(step));
        } else if (step.key_in_kernel) {
          library->impl(name.c_str(), Api::dispatch(keys_.at(step.key), function(step)));
        } else {
          with(block(ns_, step.key));
          library->impl(name.c_str(), function(step));
        }
        break;
      case Step::kFallback:
        with(block("_", step.key));
        library->fallback(function(step));
        break;
      case Step::kDeregister:
        undo(step.target);
        break;
      case Step::kDefInImplBlock:
        with(block(ns_, "CPU"));
        library->def("gamma(Tensor self) -> int");
        break;
      case Step::kDefOfOtherNamespace:
        library->def("elsewhere::gamma(Tensor self) -> int");
        break;
      case Step::kImplOfOtherNamespace:
        library->impl(("elsewhere::" + name).c_str(), function(step));
        break;
      case Step::kImplOfOtherKey:
        with(block(ns_, "CPU"));
        library->impl(name.c_str(), Api::dispatch(DispatchKey::CUDA, function(step)));
        break;
      case Step::kFallbackInNamespace:
        with(block(ns_, "CPU"));
        library->fallback(CppFunction::makeFallthrough());
        break;
      case Step::kDefOfWildcard:
        with(Library(Library::FRAGMENT, "_", std::nullopt, "step", 0));
        break;
      case Step::kDefBoxedByName:
        library->def(name.c_str(), CppFunction::makeFallthrough());
        break;
      case Step::kDefBadSchema:
        library->def((name + "(Tensor self -> int").c_str());
        break;
    }
    return library;
  }

  CppFunction function(const Step& step) {
    return bare_function(step).debug("step " + std::to_string(step.number));
  }
  CppFunction bare_function(const Step& step) {
    const Kernel& kernel = step.kernel;
    switch (kernel.form) {
      case Kernel::kFallthrough:
        return CppFunction::makeFallthrough();
      case Kernel::kNotSupported:
        return CppFunction::makeNamedNotSupported();
      case Kernel::kBoxed:
        return CppFunction::makeFromBoxedFunctor(std::make_unique<Boxed>(this, step.number, kernel.then));
      default:
        break;
    }
    std::optional<CppFunction> made;
    tensors_.clear();
    with_arguments(kernel.signature, [&]<class... A>(A...) -> int64_t {
      if (kernel.form == Kernel::kUnboxed)
        made.emplace(Unboxed<A...>{this, step.number});
      else
        made.emplace(UnboxedWithKeys<A...>{this, step.number, step.op, kernel.then});
      return 0;
    });
    return std::move(*made);
  }

  void keep_fallback(const std::string& key, CppFunction&& f) {
    kept_.push_back(std::make_unique<Library>(block("_", key)));
    kept_.back()->fallback(std::move(f));
  }

  // --- names
  typename Api::OperatorName name_of(int op) const {
    const std::string name = kOperators[op];
    const size_t dot = name.find('.');
    return {ns_ + "::" + name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)};
  }
  std::optional<OperatorHandle> find_schema(int op) const {
    return Api::Dispatcher::singleton().findSchema(name_of(op));
  }
  DispatchKeySet set_of(const KeyNames& names) const {
    DispatchKeySet set;
    for (const std::string& name : names) set = set | DispatchKeySet(keys_.at(name));
    return set;
  }

  std::map<std::string, DispatchKey> keys_;
  std::vector<std::unique_ptr<Library>> kept_;
  std::string ns_;
  std::map<int, std::unique_ptr<Library>> libraries_;
  int schema_owner_[kNumOperators] = {}, signature_[kNumOperators] = {};
  // Of the call that runs.
  std::vector<Tensor> tensors_;
  std::vector<intptr_t> expected_;
  std::string hops_;
};

}  // namespace gb::tests::dispatch
