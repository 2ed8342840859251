// Library: how operators and kernels are registered.
//
//   GB_LIBRARY_FRAGMENT(aten, m) { m.def("neg(Tensor self) -> Tensor"); }        what there is
//   GB_LIBRARY_IMPL(aten, CPU, m) { m.impl("neg", GB_FN(neg_cpu)); }             what runs, for one key
//
// A GB_LIBRARY block defines a namespace and stands once per namespace; GB_LIBRARY_FRAGMENT adds to one; both run when the
// program starts, so a library target that holds them needs alwayslink. Registrations end with the Library object.
// Kernels may take a DispatchKeySet first; it is not part of the schema. Names follow torch/library.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dispatcher/dispatcher.h"
#include "dispatcher/infer_schema.h"
#include "dispatcher/schema_parser.h"

namespace gb {

// A kernel on its way into the table: the KernelFunction with its C++ signature and what the schema must be.
class CppFunction final {
 public:
  template <class F>
  explicit CppFunction(F* f)
      : CppFunction(KernelFunction::makeFromUnboxedRuntimeFunction(f), impl::CppSignature::make<F>(),
                    detail::inferFunctionSchemaFromFunctor<F>()) {}
  template <class F, F* f>
  explicit CppFunction(CompileTimeFunctionPointer<F, f>) : CppFunction(f) {}
  template <class Lambda>
    requires(!std::is_same_v<std::remove_cvref_t<Lambda>, CppFunction> && std::is_class_v<std::remove_cvref_t<Lambda>> &&
             !is_compile_time_function_pointer<std::remove_cvref_t<Lambda>>::value)
  explicit CppFunction(Lambda&& f)
      : CppFunction(KernelFunction::makeFromUnboxedLambda(std::forward<Lambda>(f)),
                    impl::CppSignature::make<std::remove_cvref_t<Lambda>>(),
                    detail::inferFunctionSchemaFromFunctor<guts::function_type_t<Lambda>>()) {}

  template <auto* boxed>
  static CppFunction makeFromBoxedFunction() {
    return CppFunction(KernelFunction::makeFromBoxedFunction<boxed>(), std::nullopt, nullptr);
  }
  static CppFunction makeFromBoxedKernel(BoxedKernel kernel) {
    return CppFunction(KernelFunction::makeFromBoxedKernel(std::move(kernel)), std::nullopt, nullptr);
  }
  template <class F>
  static CppFunction makeFromBoxedFunctor(std::unique_ptr<F> functor) {
    return CppFunction(KernelFunction::makeFromBoxedFunctor(std::move(functor)), std::nullopt, nullptr);
  }
  template <class F>
  static CppFunction makeFromUnboxedFunction(F* f) { return CppFunction(f); }
  static CppFunction makeFallthrough() { return CppFunction(KernelFunction::makeFallthrough(), std::nullopt, nullptr); }
  static CppFunction makeNamedNotSupported() {
    return CppFunction(KernelFunction::makeNamedNotSupported(), std::nullopt, nullptr);
  }
  static CppFunction makeAmbiguousAutogradOther() {
    return CppFunction(KernelFunction::makeAmbiguousAutogradOther(), std::nullopt, nullptr);
  }
  // For a boxed kernel: see KernelFunction.
  CppFunction&& onlyWhenRecording() && {
    kernel_ = std::move(kernel_).onlyWhenRecording();
    return std::move(*this);
  }
  CppFunction&& debug(std::string text) && {
    debug_ = std::move(text);
    return std::move(*this);
  }

 private:
  friend class Library;
  template <class F>
  friend CppFunction dispatch(DispatchKey key, F&& f);
  CppFunction(KernelFunction kernel, std::optional<impl::CppSignature> signature, std::unique_ptr<FunctionSchema> schema)
      : kernel_(std::move(kernel)), signature_(std::move(signature)), inferred_schema_(std::move(schema)) {}

  KernelFunction kernel_;
  std::optional<DispatchKey> key_;
  std::optional<impl::CppSignature> signature_;
  std::unique_ptr<FunctionSchema> inferred_schema_;
  std::string debug_;
};

// The same kernel, for one key: m.impl("op", dispatch(kCPU, f)). Undefined is "no key": the block's, or CatchAll.
template <class F>
CppFunction dispatch(DispatchKey key, F&& f) {
  CppFunction kernel(std::forward<F>(f));
  if (key != DispatchKey::Undefined) kernel.key_ = key;
  return kernel;
}
template <class F>
CppFunction dispatch(DeviceType type, F&& f) { return dispatch(dense_key(type), std::forward<F>(f)); }

// A schema that is given to def() may say who answers for its annotations; text given to def() answers for itself.
FunctionSchema schema(const char* text, AliasAnalysisKind kind = AliasAnalysisKind::FROM_SCHEMA);

// What impl() and def() take for a kernel: a function, a pointer to one, GB_FN(f), a lambda or functor, a CppFunction.
template <class F>
concept kernel_like = std::is_constructible_v<CppFunction, F>;

class Library final {
 public:
  enum Kind { DEF, IMPL, FRAGMENT };
  // `ns` is "_" for fallbacks; `key` only with IMPL.
  Library(Kind kind, std::string ns, std::optional<DispatchKey> key, const char* file, uint32_t line);
  Library(Library&&) = default;
  Library& operator=(Library&& other) noexcept {
    reset();  // newest first, which destroying the vector would not be
    kind_ = other.kind_;
    ns_ = std::move(other.ns_);
    key_ = other.key_;
    file_ = other.file_;
    line_ = other.line_;
    registrations_.handles.swap(other.registrations_.handles);
    return *this;
  }

  // Schema only. The name may carry the block's own namespace.
  Library& def(const char* schema, const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE());
  Library& def(const char* schema, std::vector<Tag> tags, const char* file = __builtin_FILE(),
               uint32_t line = __builtin_LINE());
  Library& def(FunctionSchema&& schema, const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE());
  Library& def(FunctionSchema&& schema, std::vector<Tag> tags, const char* file = __builtin_FILE(),
               uint32_t line = __builtin_LINE());
  // Schema (or a bare name: then it is inferred from the C++ type) and a CompositeImplicitAutograd kernel.
  template <class F>
    requires kernel_like<F>
  Library& def(const char* name_or_schema, F&& f, std::vector<Tag> tags = {}, const char* file = __builtin_FILE(),
               uint32_t line = __builtin_LINE()) {
    return define_with_kernel(name_or_schema, CppFunction(std::forward<F>(f)), std::move(tags), file, line);
  }
  // A kernel for the block's key; in a DEF or FRAGMENT block for CompositeImplicitAutograd.
  template <class F>
    requires kernel_like<F>
  Library& impl(const char* name, F&& f, const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) {
    return implement(name, CppFunction(std::forward<F>(f)), file, line);
  }
  template <class F>
  Library& impl(const char* name, DispatchKey key, F&& f, const char* file = __builtin_FILE(),
                uint32_t line = __builtin_LINE()) {
    return implement(name, dispatch(key, std::forward<F>(f)), file, line);
  }
  template <class F>
  Library& impl(const char* name, DeviceType type, F&& f, const char* file = __builtin_FILE(),
                uint32_t line = __builtin_LINE()) {
    return impl(name, dense_key(type), std::forward<F>(f), file, line);
  }
  // A boxed kernel for every operator that has none at the block's key; only in namespace "_".
  Library& fallback(CppFunction&& f, const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE());

  void reset() { registrations_.clear(); }
  ~Library() { reset(); }

 private:
  Library& define_with_kernel(const char* name_or_schema, CppFunction&& f, std::vector<Tag> tags, const char* file,
                              uint32_t line);
  Library& implement(const char* name, CppFunction&& f, const char* file, uint32_t line);
  OperatorName qualify(OperatorName name, const char* what) const;  // adds or checks the namespace
  std::string place() const;                                        // "GB_LIBRARY_IMPL(aten, CPU) at file:line"

  Kind kind_;
  std::string ns_;
  std::optional<DispatchKey> key_;
  const char* file_;
  uint32_t line_;
  // Undone newest first.
  struct Registrations {
    std::vector<RegistrationHandleRAII> handles;
    void push_back(RegistrationHandleRAII h) { handles.push_back(std::move(h)); }
    void clear() {
      while (!handles.empty()) handles.pop_back();
    }
  };
  Registrations registrations_;
};

namespace detail {
// Runs a registration block at start-up; an error there ends the program with the message.
class LibraryInit final {
 public:
  using Block = void(Library&);
  LibraryInit(Library::Kind kind, Block* block, const char* ns, std::optional<DispatchKey> key, const char* file,
              uint32_t line);

 private:
  Library library_;
};
}  // namespace detail
}  // namespace gb

#define GB_CONCAT_(a, b) a##b
#define GB_CONCAT(a, b) GB_CONCAT_(a, b)

#define GB_LIBRARY_BLOCK_(kind, ns, key, m, id)                                                            \
  static void GB_CONCAT(gb_library_block_, id)(::gb::Library&);                                            \
  static const ::gb::detail::LibraryInit GB_CONCAT(gb_library_init_, id)(                                  \
      ::gb::Library::kind, &GB_CONCAT(gb_library_block_, id), #ns, key, __FILE__, __LINE__);               \
  static void GB_CONCAT(gb_library_block_, id)([[maybe_unused]] ::gb::Library & m)

#define GB_LIBRARY(ns, m) GB_LIBRARY_BLOCK_(DEF, ns, std::nullopt, m, GB_CONCAT(def_##ns##_, __COUNTER__))
#define GB_LIBRARY_FRAGMENT(ns, m) GB_LIBRARY_BLOCK_(FRAGMENT, ns, std::nullopt, m, GB_CONCAT(fragment_##ns##_, __COUNTER__))
#define GB_LIBRARY_IMPL(ns, Key, m) \
  GB_LIBRARY_BLOCK_(IMPL, ns, std::make_optional(::gb::DispatchKey::Key), m, GB_CONCAT(impl_##ns##_##Key##_, __COUNTER__))

// A Library held in a local, for registrations that end with a scope.
#define MAKE_GB_LIBRARY(ns) ::gb::Library(::gb::Library::DEF, #ns, std::nullopt, __FILE__, __LINE__)
#define MAKE_GB_LIBRARY_FRAGMENT(ns) ::gb::Library(::gb::Library::FRAGMENT, #ns, std::nullopt, __FILE__, __LINE__)
#define MAKE_GB_LIBRARY_IMPL(ns, Key) \
  ::gb::Library(::gb::Library::IMPL, #ns, std::make_optional(::gb::DispatchKey::Key), __FILE__, __LINE__)
