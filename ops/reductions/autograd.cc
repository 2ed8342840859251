// The gradients of reductions: what was many becomes many again.
//
//   sum     every input gets the output's gradient: expand
//   mean    the same, divided by how many inputs went into one output
//   amax    the inputs that equal the maximum share its gradient evenly, as in PyTorch; amin likewise
#include "ops/common/recorded.h"
#include "ops/reductions/plan.h"
#include "ops/reductions/reductions.h"

namespace gb::autograd {
namespace {

// What a reduction did to its input's sizes.
struct Reduction {
  void set(const Tensor& self, OptionalIntArrayRef dim, bool keepdim_, const char* op) {
    sizes = self.sizes().vec();
    is_reduced = reduced_dims(dim, self.dim(), op);
    keepdim = keepdim_;
  }
  Tensor restore(const Tensor& t) const { return restore_reduced_dims(t, is_reduced, keepdim); }
  std::vector<int64_t> dims() const { return list_of(is_reduced); }
  int64_t count() const { return count_of(is_reduced, sizes); }
  std::vector<SavedField> saved() const {
    return {{"dim", to_string(IntArrayRef(dims()))},
            {"keepdim", std::string(keepdim ? "True" : "False")},
            {"self_sizes", to_string(IntArrayRef(sizes))}};
  }

  std::vector<int64_t> sizes;
  std::vector<bool> is_reduced;
  bool keepdim = false;
};

// Four nodes that differ in name and in whether they divide. (The gradient's dtype, where dtype= converted,
// is the engine's.)
struct ReduceBackward : Node {
  ReduceBackward(const char* name, bool divide) : name_(name), divide_(divide) {}
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined() || !task_should_compute_output(0)) return {Tensor()};
    const Tensor spread = of_.restore(grads[0]).expand(of_.sizes);
    return {divide_ ? spread.div(of_.count()) : spread};
  }
  std::string name() const override { return name_; }
  std::vector<SavedField> saved() const override { return of_.saved(); }

  Reduction of_;

 private:
  const char* name_;
  bool divide_;
};
struct SumBackward0 final : ReduceBackward {
  SumBackward0() : ReduceBackward("SumBackward0", false) {}
};
struct SumBackward1 final : ReduceBackward {
  SumBackward1() : ReduceBackward("SumBackward1", false) {}
};
struct MeanBackward0 final : ReduceBackward {
  MeanBackward0() : ReduceBackward("MeanBackward0", true) {}
};
struct MeanBackward1 final : ReduceBackward {
  MeanBackward1() : ReduceBackward("MeanBackward1", true) {}
};

struct ExtremumBackward : Node {
  explicit ExtremumBackward(const char* name) : name_(name) {}
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined() || !task_should_compute_output(0)) return {Tensor()};
    const Tensor self = self_.unpack(getptr());
    const Tensor mask = of_.restore(result_.unpack(getptr())).eq(self);
    const Tensor share = of_.restore(grads[0]).div(mask.sum(of_.dims(), true));
    return {share.mul(mask)};
  }
  std::string name() const override { return name_; }
  void release_variables() override {
    self_.reset_data();
    result_.reset_data();
  }
  std::vector<SavedField> saved() const override {
    std::vector<SavedField> fields = of_.saved();
    fields.emplace_back("result", &result_);
    fields.emplace_back("self", &self_);
    return fields;
  }

  SavedVariable self_, result_;
  Reduction of_;

 private:
  const char* name_;
};
struct AmaxBackward0 final : ExtremumBackward {
  AmaxBackward0() : ExtremumBackward("AmaxBackward0") {}
};
struct AminBackward0 final : ExtremumBackward {
  AminBackward0() : ExtremumBackward("AminBackward0") {}
};

template <class Backward>
std::shared_ptr<Backward> node_for(const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                                   const char* op) {
  auto grad_fn = make_node<Backward>(self);
  if (grad_fn) grad_fn->of_.set(self, dim, keepdim, op);
  return grad_fn;
}

Tensor sum_autograd(DispatchKeySet ks, const Tensor& self, std::optional<ScalarType> dtype) {
  return record(node_for<SumBackward0>(self, std::nullopt, false, "sum"),
                [&] { return sum_op().redispatch(ks & after_autograd_keyset, self, dtype); });
}
Tensor sum_dim_autograd(DispatchKeySet ks, const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                        std::optional<ScalarType> dtype) {
  return record(node_for<SumBackward1>(self, dim, keepdim, "sum"), [&] {
    return sum_dim_op().redispatch(ks & after_autograd_keyset, self, dim, keepdim, dtype);
  });
}
Tensor mean_autograd(DispatchKeySet ks, const Tensor& self, std::optional<ScalarType> dtype) {
  return record(node_for<MeanBackward0>(self, std::nullopt, false, "mean"),
                [&] { return mean_op().redispatch(ks & after_autograd_keyset, self, dtype); });
}
Tensor mean_dim_autograd(DispatchKeySet ks, const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                         std::optional<ScalarType> dtype) {
  return record(node_for<MeanBackward1>(self, dim, keepdim, "mean"), [&] {
    return mean_dim_op().redispatch(ks & after_autograd_keyset, self, dim, keepdim, dtype);
  });
}
template <class Backward, auto* op>
Tensor extremum_autograd(DispatchKeySet ks, const Tensor& self, IntArrayRef dim, bool keepdim) {
  auto grad_fn = node_for<Backward>(self, dim, keepdim, detail::short_name(op()));
  if (grad_fn) grad_fn->self_ = SavedVariable(self, false);
  Tensor result =
      record(grad_fn, [&] { return op().redispatch(ks & after_autograd_keyset, self, dim, keepdim); });
  if (grad_fn) grad_fn->result_ = SavedVariable(result, true);
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("sum", GB_FN(sum_autograd));
  m.impl("sum.dim_IntList", GB_FN(sum_dim_autograd));
  m.impl("mean", GB_FN(mean_autograd));
  m.impl("mean.dim", GB_FN(mean_dim_autograd));
  m.impl("amax", GB_FN((extremum_autograd<AmaxBackward0, &amax_op>)));
  m.impl("amin", GB_FN((extremum_autograd<AminBackward0, &amin_op>)));
  no_gradient(m, {"any", "any.dim", "all", "all.dim"});
}

}  // namespace gb::autograd
