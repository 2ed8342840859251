// How an operator's file gets the handle it calls through: looked up once, kept in a function-local static.
//
//   const NegOp& neg_op() {
//     static const NegOp op = find_operator<NegOp>("aten::neg", "");
//     return op;
//   }
#pragma once

#include "dispatcher/dispatcher.h"

namespace gb {
namespace detail {
template <class Handle>
struct signature_of;
template <class F>
struct signature_of<TypedOperatorHandle<F>> {
  using type = F;
};
}  // namespace detail

// Throws where the operator is not linked into the program, or where its kernels have another C++ signature.
template <class Handle>
Handle find_operator(const char* name, const char* overload) {
  return Dispatcher::singleton()
      .findSchemaOrThrow(name, overload)
      .template typed<typename detail::signature_of<Handle>::type>();
}

}  // namespace gb
