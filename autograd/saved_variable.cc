#include "autograd/saved_variable.h"

#include <fmt/format.h>

#include <utility>

#include "autograd/anomaly_mode.h"
#include "autograd/node.h"
#include "autograd/saved_tensor_default_hooks.h"
#include "autograd/view.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

const Node* saver(const Node* saved_for) { return saved_for ? saved_for : current_node(); }

std::string name_of(const Node* node) { return node ? node->name() : "a node"; }

// grad_fn as it is, without asking a written view for a new one.
const Node* known_grad_fn(const Tensor& t) {
  const AutogradMeta* meta = impl::get_autograd_meta(t);
  return meta ? meta->grad_fn_.get() : nullptr;
}

}  // namespace

SavedVariable::SavedVariable(const Variable& variable, bool is_output, bool is_inplace_on_view)
    : is_output_(is_output) {
  if (!variable.defined()) return;
  GB_CHECK_OR_THROW(
      !variable.is_inference(), Error, .what = "Inference tensors cannot be saved for backward",
      .cause = fmt::format("a tensor of sizes {} was made in inference mode", to_string(variable.sizes())),
      .repair = "clone it outside of inference mode and use the clone", .chapter = chapters::kAutograd);
  const AutogradMeta* meta = impl::get_autograd_meta(variable);
  output_nr_ = meta ? meta->output_nr_ : 0;
  is_leaf_ = !meta || !meta->grad_fn_;
  saved_version_ = impl::version_counter(variable).current_version();
  state_ = State::kSaved;
  if (!is_output) {
    data_ = variable;
    saved_original_ = true;
  } else {
    is_leaf_ = false;  // its node may not have been hung on it yet
    data_ = variable.tensor_data();
    if (is_inplace_on_view || (meta && meta->is_view_)) extras().weak_grad_fn = impl::grad_fn(variable);
  }
  // The number of `x * 2` is not the user's tensor: it stays here.
  if (gb::detail::saved_tensor_hooks_tls.innermost && !variable.unsafeGetTensorImpl()->is_wrapped_number()) [[unlikely]] {
    pack(default_saved_variable_hooks(), data_);
  }
}

SavedVariable::Extras& SavedVariable::extras() {
  if (!extras_) extras_ = make_intrusive<Extras>();
  return *extras_;
}

void SavedVariable::reset_data() {
  Tensor data;  // these two are destroyed outside of the lock: that may be much work, or lead back here
  intrusive_ptr<Extras> extras;
  const std::lock_guard<ByteLock> lock(lock_);
  if (state_ != State::kSaved) return;
  std::swap(data, data_);
  std::swap(extras, extras_);
  state_ = State::kReleased;
}

Variable SavedVariable::unpack(const std::shared_ptr<Node>& saved_for) const {
  lock_.lock();  // no guard: copies are made, not assigned, and nothing here throws
  Tensor data = data_;
  const intrusive_ptr<Extras> extras = extras_;
  const State state = state_;
  lock_.unlock();
  if (state != State::kSaved) {
    if (state == State::kReleased) throw_released(saved_for.get());
    return {};
  }
  if (extras && extras->hooks) {
    const Turn::Scope turn(extras->hook_turn);
    const Tensor unpacked = extras->hooks->call_unpack_hook();
    return unpacked.defined() ? with_history(unpacked.variable_data(), extras.get(), saved_for) : unpacked;
  }
  if (!saved_original_) {
    check_not_modified(data, saved_for.get());
    return with_history(data.tensor_data(), extras.get(), saved_for);
  }
  GB_CHECK_OR_THROW(is_leaf_ || saved_for || known_grad_fn(data), Error,
                    .what = "backward: Trying to use a saved tensor that has been detached in-place, i.e. with .detach_()",
                    .cause = fmt::format("{} saved a tensor of sizes {} that had a grad_fn, and has none now",
                                         name_of(saver(nullptr)), to_string(data.sizes())),
                    .repair = "use the out-of-place detach()", .chapter = chapters::kAutograd);
  check_not_modified(data, saved_for.get());
  return data;
}

// `data` as the variable that was saved: with its grad_fn, or as the leaf it was.
Tensor SavedVariable::with_history(Tensor data, const Extras* extras, const std::shared_ptr<Node>& saved_for) const {
  if (!extras && !is_leaf_ && saved_for) {  // a node's own output, as most are
    impl::set_gradient_edge(data, Edge(saved_for, output_nr_));
    return data;
  }
  std::shared_ptr<Node> node = extras ? extras->grad_fn : nullptr;
  if (!node && extras) node = extras->weak_grad_fn.lock();
  if (!node && !is_leaf_) {
    GB_INTERNAL_ASSERT(saved_for, "unpack() of a saved output needs the node that saved it");
    node = saved_for;
  }
  if (node) {
    impl::set_gradient_edge(data, Edge(std::move(node), output_nr_));
  } else if (extras && extras->requires_grad) {
    data.requires_grad_();
    impl::materialize_autograd_meta(data)->grad_accumulator_ = extras->grad_accumulator;
  }
  return data;
}

void SavedVariable::register_hooks(std::unique_ptr<SavedVariableHooks>&& hooks) {
  const auto refuse_if = [](bool refused, const char* why) {
    GB_CHECK_OR_THROW(!refused, Error,
                      .what = fmt::format("Calling register_hooks on a saved tensor {}", why),
                      .cause = "the hooks are given the tensor when they are registered, once",
                      .repair = "register them right after the forward call", .chapter = chapters::kAutograd);
  };
  GB_CHECK_OR_THROW(hooks, Error, .what = "register_hooks: the hooks are null", .cause = "no object was given",
                    .repair = "give an object with a pack and an unpack hook", .chapter = chapters::kAutograd);
  refuse_if(has_hooks(), "whose hooks have already been set");
  refuse_if(state_ == State::kReleased, "after it has been freed");
  refuse_if(state_ == State::kEmpty, "with value None is forbidden");
  pack(std::move(hooks), saved_original_ ? data_.detach() : data_);
}

void SavedVariable::pack(std::unique_ptr<SavedVariableHooks>&& hooks, const Tensor& given) {
  Extras& more = extras();
  if (saved_original_) {
    more.grad_fn = impl::grad_fn(data_);
    more.grad_accumulator = impl::grad_accumulator(data_);
    more.requires_grad = data_.requires_grad();
  }
  {
    const AutoGradMode no_grad(false);
    hooks->call_pack_hook(given);
  }
  GB_CHECK_OR_THROW(static_cast<uint32_t>(data_._version()) == saved_version_, Error,
                    .what = "A saved tensor pack hook is modifying its input in place",
                    .cause = fmt::format("the tensor of sizes {} is at version {}, and was at {}",
                                         to_string(data_.sizes()), data_._version(), saved_version_),
                    .repair = "let the hook work on a clone", .chapter = chapters::kAutograd);
  more.hooks = std::move(hooks);
  data_.reset();
}

void SavedVariable::check_not_modified(const Tensor& data, const Node* saved_for) const {
  if (impl::version_counter(data).current_version() != saved_version_) throw_modified(data, saved_for);
}

void SavedVariable::throw_released(const Node* saved_for) const {
  GB_THROW(Error, .what = "backward: Trying to backward through the graph a second time",
           .cause = fmt::format("the tensors that {} saved were released by the first backward",
                                name_of(saver(saved_for))),
           .repair = "give retain_graph=true to the first backward, or run the forward again",
           .chapter = chapters::kAutograd);
}

void SavedVariable::throw_modified(const Tensor& data, const Node* saved_for) const {
  const Node* node = saver(saved_for);
  std::string field;
  if (node) {
    for (const SavedField& saved : node->saved()) {
      if (saved.variable == this) field = fmt::format(" as '{}'", saved.name);
    }
  }
  const Node* author = saved_original_ ? known_grad_fn(data) : saved_for;
  const std::string_view writer = writer_name(impl::version_counter(data).last_writer());
  GB_THROW(
      Error,
      .what = fmt::format(
          "backward: one of the variables needed for gradient computation has been modified by an inplace operation: "
          "[{} {}]{} is at version {}; expected version {} instead",
          data.toString(), to_string(data.sizes()),
          author ? fmt::format(", which is output {} of {},", output_nr_, author->name()) : "", data._version(),
          saved_version_),
      .cause = fmt::format("{} saved {}{}; {}", name_of(node), is_output_ ? "its output" : "it", field,
                           writer.empty() ? "it was written in place since"
                                          : fmt::format("{} wrote it last", writer)),
      .repair = AnomalyMode::is_enabled()
                    ? "the warning above shows the forward call that saved it; the write came after that: write to a "
                      "clone, or use the out-of-place form of the operator that wrote"
                    : "write to a clone, or use the out-of-place form of the operator that wrote; DetectAnomalyGuard "
                      "shows the forward call that saved it",
      .chapter = chapters::kAutograd);
}

}  // namespace gb::autograd
