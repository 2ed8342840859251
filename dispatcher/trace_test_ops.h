// Operators of the trace's tests: a composite one, one with an Autograd kernel, and one that throws.
#pragma once

#include "dispatcher/testing.h"
#include "dispatcher/trace.h"

namespace gb::testing {

inline Tensor inner_cpu(const Tensor& x, const Tensor&) { return x; }
inline Tensor inner_autograd(DispatchKeySet ks, const Tensor& x, const Tensor& y) {
  const AutoDispatchBelowAutograd guard;
  return find("trace::inner")
      .typed<Tensor(const Tensor&, const Tensor&)>()
      .redispatch(ks & after_autograd_keyset, x, y);
}
inline Tensor outer(const Tensor& x) {
  return find("trace::inner").typed<Tensor(const Tensor&, const Tensor&)>().call(x, x);
}

struct TraceOps {
  TraceOps() {
    library.def("inner(Tensor x, Tensor y) -> Tensor").def("outer(Tensor x) -> Tensor");
    library.impl("inner", DispatchKey::CPU, CppFunction(&inner_cpu).debug("inner/cpu.cc:5"));
    library.impl("inner", DispatchKey::Autograd, &inner_autograd, "inner/autograd.cc", 7);
    library.impl("outer", DispatchKey::CompositeImplicitAutograd, &outer, "outer.cc", 3);
  }
  // Three hops. On Meta the last one has no kernel.
  Tensor run(DispatchKey device = DispatchKey::CPU) const {
    return find("trace::outer").typed<Tensor(const Tensor&)>().call(tensor(device));
  }
  Library library = MAKE_GB_LIBRARY(trace);
};

inline size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

}  // namespace gb::testing
