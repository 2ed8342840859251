#include "dispatcher/library.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "core/error.h"

namespace gb {
namespace {

std::string registered_at(const char* file, uint32_t line) { return fmt::format("{}:{}", file, line); }

const char* macro_name(Library::Kind kind) {
  switch (kind) {
    case Library::DEF: return "GB_LIBRARY";
    case Library::IMPL: return "GB_LIBRARY_IMPL";
    case Library::FRAGMENT: return "GB_LIBRARY_FRAGMENT";
  }
  return "";
}

}  // namespace

FunctionSchema schema(const char* text, AliasAnalysisKind kind) {
  FunctionSchema parsed = jit::parseSchema(text);
  parsed.setAliasAnalysis(kind);
  return parsed;
}

Library::Library(Kind kind, std::string ns, std::optional<DispatchKey> key, const char* file, uint32_t line)
    : kind_(kind), ns_(std::move(ns)), key_(key == DispatchKey::Undefined ? std::nullopt : key), file_(file), line_(line) {
  GB_CHECK_OR_THROW(kind == IMPL || ns_ != "_", Error, .what = "cannot define operators in the wildcard namespace _",
                    .cause = place(), .repair = "name a namespace; _ is for GB_LIBRARY_IMPL with fallback()",
                    .chapter = chapters::kDispatch);
  if (kind == DEF) registrations_.push_back(Dispatcher::singleton().registerLibrary(ns_, registered_at(file, line)));
}

std::string Library::place() const {
  return fmt::format("{}({}{}{}) at {}:{}", macro_name(kind_), ns_, key_ ? ", " : "", key_ ? toString(*key_) : "", file_,
                     line_);
}

OperatorName Library::qualify(OperatorName name, const char* what) const {
  const auto ns = name.getNamespace();
  GB_CHECK_OR_THROW(!ns || *ns == ns_, Error,
                    .what = fmt::format("{}: the namespace of {} does not match the block's", what, toString(name)),
                    .cause = fmt::format("the block is {}", place()),
                    .repair = "leave the namespace out, or open a block for it", .chapter = chapters::kDispatch);
  name.setNamespaceIfNotSet(ns_.c_str());
  return name;
}

Library& Library::def(const char* text, const char* file, uint32_t line) { return def(text, {}, file, line); }

Library& Library::def(const char* text, std::vector<Tag> tags, const char* file, uint32_t line) {
  return def(schema(text), std::move(tags), file, line);
}

Library& Library::def(FunctionSchema&& schema, const char* file, uint32_t line) {
  return def(std::move(schema), {}, file, line);
}

Library& Library::def(FunctionSchema&& schema, std::vector<Tag> tags, const char* file, uint32_t line) {
  GB_CHECK_OR_THROW(kind_ != IMPL, Error,
                    .what = fmt::format("def: cannot define an operator in a {} block", macro_name(kind_)),
                    .cause = fmt::format("{} in {}", toString(schema.operator_name()), place()),
                    .repair = "move the def to a GB_LIBRARY or GB_LIBRARY_FRAGMENT block", .chapter = chapters::kDispatch);
  const OperatorName name = qualify(schema.operator_name(), "def");
  registrations_.push_back(Dispatcher::singleton().registerDef(
      schema.cloneWithName(name.name, name.overload_name), registered_at(file, line), std::move(tags)));
  return *this;
}

Library& Library::define_with_kernel(const char* name_or_schema, CppFunction&& f, std::vector<Tag> tags, const char* file,
                                     uint32_t line) {
  // Both or none: where the kernel is refused, the def goes again.
  const auto define_both = [&](FunctionSchema schema, const OperatorName& name) -> Library& {
    def(std::move(schema), std::move(tags), file, line);
    try {
      return implement(toString(name).c_str(), std::move(f), file, line);
    } catch (...) {
      registrations_.handles.pop_back();
      throw;
    }
  };
  auto parsed = jit::parseSchemaOrName(name_or_schema);
  if (auto* given = std::get_if<FunctionSchema>(&parsed)) {
    given->setAliasAnalysis(AliasAnalysisKind::FROM_SCHEMA);
    const OperatorName name = given->operator_name();
    return define_both(std::move(*given), name);
  }
  const OperatorName name = std::get<OperatorName>(parsed);
  GB_CHECK_OR_THROW(f.inferred_schema_, Error,
                    .what = fmt::format("def: the schema of {} cannot be inferred from a boxed kernel", toString(name)),
                    .cause = "a boxed kernel fits every signature", .repair = "write the schema out",
                    .chapter = chapters::kDispatch);
  return define_both(f.inferred_schema_->cloneWithName(name.name, name.overload_name), name);
}

Library& Library::implement(const char* name, CppFunction&& f, const char* file, uint32_t line) {
  const OperatorName qualified = qualify(jit::parseName(name), "impl");
  GB_CHECK_OR_THROW(!f.key_ || !key_ || *f.key_ == *key_, Error,
                    .what = fmt::format("impl: the key of a kernel for {} does not match the block's", toString(qualified)),
                    .cause = fmt::format("the kernel is for {}, the block is {}", toString(*f.key_), place()),
                    .repair = "leave the key out, or open a block for it", .chapter = chapters::kDispatch);
  const std::optional<DispatchKey> key = f.key_ ? f.key_ : key_;
  registrations_.push_back(Dispatcher::singleton().registerImpl(qualified, key, std::move(f.kernel_), std::move(f.signature_),
                                                                std::move(f.inferred_schema_),
                                                                f.debug_.empty() ? registered_at(file, line) : f.debug_));
  return *this;
}

Library& Library::fallback(CppFunction&& f, const char* file, uint32_t line) {
  GB_CHECK_OR_THROW(kind_ == IMPL && ns_ == "_" && key_, Error,
                    .what = "fallback: a backend fallback is registered for a key, not for a namespace", .cause = place(),
                    .repair = "use GB_LIBRARY_IMPL(_, Key, m)", .chapter = chapters::kDispatch);
  GB_CHECK_OR_THROW(!f.kernel_.isValidUnboxed(), Error,
                    .what = "fallback: a backend fallback must be a boxed kernel", .cause = place(),
                    .repair = "use CppFunction::makeFromBoxedFunction<&f>() or makeFallthrough()",
                    .chapter = chapters::kDispatch);
  registrations_.push_back(Dispatcher::singleton().registerFallback(*key_, std::move(f.kernel_), registered_at(file, line)));
  return *this;
}

namespace detail {

LibraryInit::LibraryInit(Library::Kind kind, Block* block, const char* ns, std::optional<DispatchKey> key, const char* file,
                         uint32_t line) try : library_(kind, ns, key, file, line) {
  block(library_);
} catch (const std::exception& e) {
  // Before main() nobody can catch it.
  fmt::print(stderr, "glassbox: a registration block failed\n{}\n", e.what());
  std::abort();
}

}  // namespace detail
}  // namespace gb
