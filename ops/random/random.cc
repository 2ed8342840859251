#include "ops/random/random.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  const std::vector<Tag> tags{Tag::nondeterministic_seeded};
  m.def("normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!)",
        tags);
  m.def("uniform_(Tensor(a!) self, float from=0, float to=1, *, Generator? generator=None) -> Tensor(a!)",
        tags);
  m.def("random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)", tags);
  m.def("random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)", tags);
  m.def("random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)", tags);
  m.def("bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)", tags);
  m.def("bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)", tags);
  m.def("bernoulli(Tensor self, *, Generator? generator=None) -> Tensor", tags);
  m.def("bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor", tags);
  m.def(
      "multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) -> "
      "Tensor",
      tags);
}

Tensor bernoulli(const Tensor& self, OptGenerator generator) {
  GB_RETURN_CALL(bernoulli_op(), self, generator);
}
Tensor bernoulli(const Tensor& self, double p, OptGenerator generator) {
  GB_RETURN_CALL(bernoulli_p_op(), self, p, generator);
}
Tensor multinomial(const Tensor& self, int64_t num_samples, bool replacement, OptGenerator generator) {
  GB_RETURN_CALL(multinomial_op(), self, num_samples, replacement, generator);
}

Tensor& Tensor::normal_(double mean, double std, OptGenerator generator) const {
  GB_RETURN_CALL(normal__op(), const_cast<Tensor&>(*this), mean, std, generator);
}
Tensor& Tensor::uniform_(double from, double to, OptGenerator generator) const {
  GB_RETURN_CALL(uniform__op(), const_cast<Tensor&>(*this), from, to, generator);
}
Tensor& Tensor::random_(int64_t from, std::optional<int64_t> to, OptGenerator generator) const {
  GB_RETURN_CALL(random_from__op(), const_cast<Tensor&>(*this), from, to, generator);
}
Tensor& Tensor::random_(int64_t to, OptGenerator generator) const {
  GB_RETURN_CALL(random_to__op(), const_cast<Tensor&>(*this), to, generator);
}
Tensor& Tensor::random_(OptGenerator generator) const {
  GB_RETURN_CALL(random__op(), const_cast<Tensor&>(*this), generator);
}
Tensor Tensor::bernoulli(OptGenerator generator) const { GB_RETURN_CALL(bernoulli_op(), *this, generator); }
Tensor Tensor::bernoulli(double p, OptGenerator generator) const {
  GB_RETURN_CALL(bernoulli_p_op(), *this, p, generator);
}
Tensor& Tensor::bernoulli_(double p, OptGenerator generator) const {
  GB_RETURN_CALL(bernoulli_float__op(), const_cast<Tensor&>(*this), p, generator);
}
Tensor& Tensor::bernoulli_(const Tensor& p, OptGenerator generator) const {
  GB_RETURN_CALL(bernoulli_tensor__op(), const_cast<Tensor&>(*this), p, generator);
}
Tensor Tensor::multinomial(int64_t num_samples, bool replacement, OptGenerator generator) const {
  GB_RETURN_CALL(multinomial_op(), *this, num_samples, replacement, generator);
}

}  // namespace gb
