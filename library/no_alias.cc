#include "library/no_alias.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb::detail {
namespace {

bool share(const Tensor& a, const Tensor& b) {
  return a.defined() && b.defined() && (a.is_same(b) || (a.has_storage() && a.is_alias_of(b)));
}

[[noreturn]] void throw_alias(const std::string& op, size_t output, const char* other_kind, size_t other,
                              bool same) {
  GB_THROW(
      Error,
      .what =
          fmt::format("{}: the output of this custom operator may not alias an input or another output", op),
      .cause = fmt::format("output {} {} {} {}", output, same ? "is" : "shares its storage with", other_kind,
                           other),
      .repair =
          "return a new tensor (clone()), or declare the alias in the schema: Tensor(a) x ... -> Tensor(a)",
      .chapter = chapters::kCustomOps);
}

}  // namespace

void check_no_alias(const std::string& op, const TensorPointers& inputs, const TensorPointers& outputs) {
  for (size_t o = 0; o < outputs.size(); ++o) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (share(*outputs[o], *inputs[i])) throw_alias(op, o, "input", i, outputs[o]->is_same(*inputs[i]));
    }
    for (size_t p = 0; p < o; ++p) {
      if (share(*outputs[o], *outputs[p])) throw_alias(op, o, "output", p, outputs[o]->is_same(*outputs[p]));
    }
  }
}

}  // namespace gb::detail
