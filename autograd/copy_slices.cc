#include "autograd/copy_slices.h"

#include <mutex>

#include "autograd/autograd_meta.h"
#include "autograd/operators.h"
#include "core/error.h"

namespace gb::autograd {

CopySlices::CopySlices(const Tensor& base_var, Geometry view_, std::shared_ptr<Node> fn_)
    : base(base_var), view(std::move(view_)), fn(std::move(fn_)) {
  add_input_metadata(base_var);
  add_next_edge(impl::gradient_edge(base_var));
  for (size_t i = 1; i < fn->num_outputs(); ++i) add_next_edge(fn->next_edge(i));
}

std::shared_ptr<Node> CopySlices::fn_now() const {
  const std::lock_guard<ByteLock> guard(lock);
  return fn;
}

variable_list CopySlices::apply(variable_list&& grads) {
  variable_list inputs(num_outputs());
  const Tensor grad = std::move(grads[0]);
  if (!grad.defined()) return inputs;
  const std::shared_ptr<Node> write = fn_now();
  GB_CHECK_OR_THROW(write, Error, .what = "backward: Trying to backward through the graph a second time",
                    .cause = "what the in-place write to a view saved was released by the first backward",
                    .repair = "give retain_graph=true to the first backward, or run the forward again",
                    .chapter = chapters::kAutograd);
  const Tensor whole = ops::empty_strided(base.sizes, base.strides, grad.options());
  ops::copy_(whole, grad);
  const Tensor part = ops::as_strided(whole, view.sizes, view.strides, view.offset - base.offset);

  variable_list of_write = [&] {
    const CurrentNodeScope scope(write.get());
    return (*write)({ops::clone(part)});
  }();
  GB_INTERNAL_ASSERT(of_write.size() == inputs.size(), write->name() + " returned another number of gradients than it has edges");
  if (task_should_compute_output(0)) {
    if (of_write[0].defined()) {
      ops::copy_(part, of_write[0]);
    } else {
      ops::zero_(part);
    }
    inputs[0] = whole;
  }
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (task_should_compute_output(i)) inputs[i] = std::move(of_write[i]);
  }
  return inputs;
}

void CopySlices::release_variables() {
  std::shared_ptr<Node> write;
  {
    const std::lock_guard<ByteLock> guard(lock);
    write.swap(fn);
  }
  if (!write) return;
  write->release_variables();
  release_node(std::move(write));
}

std::vector<SavedField> CopySlices::saved() const { return fn ? fn->saved() : std::vector<SavedField>(); }

}  // namespace gb::autograd
