// register_fake: what the results look like - sizes, strides, dtype - without computing them.
//
//   writes      Meta
//
// Why there: a Meta tensor has everything but memory, and calls with one reach this key. Capture (compile/) and the
// fake check (fake_contract.h) run an operator on Meta tensors; that is all they know of it.
// An operator that is made of others (CompositeImplicitAutograd) needs no fake, and is refused: its parts have theirs.
// custom_op puts a stand-in there until the fake comes: nothing to do for an operator that writes and returns nothing,
// an error that says what is missing for every other. Otherwise the forward would run, on tensors without data.
// In PyTorch: torch/_library/fake_impl.py; can_generate_trivial_fake_impl in torch/_library/utils.py.
#pragma once

#include "library/registration.h"

namespace gb {
namespace detail {

void register_fake(Library& library, const char* op, CppFunction&& fake, const Place& at);
// The stand-in, in a Library of its own; `defined_at` is where custom_op stands.
Library fake_stand_in(const OperatorHandle& op, const Place& defined_at);

}  // namespace detail

// `f` has the C++ types of the schema. Throws Error where the operator has a kernel at Meta or
// CompositeImplicitAutograd.
template <class F>
void register_fake(Library& library, const char* op, F f, Place at = {__builtin_FILE(), __builtin_LINE()}) {
  detail::register_fake(library, op, CppFunction(std::move(f)), at);
}

}  // namespace gb
