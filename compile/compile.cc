#include "compile/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "compile/capture_mode.h"
#include "compile/compiled_backward.h"
#include "compile/compiled_graph.h"
#include "compile/guards.h"
#include "core/autograd_state.h"
#include "core/error.h"
#include "core/warning.h"

namespace gb {
namespace {

// One compiled version of the callable: what it takes for granted, and the code.
struct CompiledEntry {
  CompiledEntry(compiler::Graph graph, const std::vector<Tensor>& inputs)
      : guards(graph, inputs), compiled(std::move(graph)) {
    for (const compiler::GraphInput& input : compiled.graph().inputs) {
      if (input.lifted) lifted.push_back(input.tensor);
    }
    const auto wants_grad = [](const Tensor& t) { return t.unsafeGetTensorImpl()->requires_grad(); };
    records = GradMode::is_enabled() && (std::any_of(inputs.begin(), inputs.end(), wants_grad) ||
                                         std::any_of(lifted.begin(), lifted.end(), wants_grad));
  }
  compiler::Guards guards;
  compiler::CompiledGraph compiled;
  std::vector<Tensor> lifted;
  bool records = false;  // does a run belong on the tape?
};

}  // namespace

struct CompiledFunction::State {
  Function fn;
  CompileOptions options;
  mutable std::mutex mutex;  // of what follows
  std::vector<std::shared_ptr<const CompiledEntry>> entries;
  CompileStats stats;
  bool warned = false;

  std::shared_ptr<const CompiledEntry> entry_for(const std::vector<Tensor>& inputs);
  std::vector<Tensor> run_eagerly(const std::vector<Tensor>& inputs) {
    {
      const std::lock_guard lock(mutex);
      ++stats.eager_calls;
    }
    return fn(inputs);
  }
};

// The entry whose guards hold, a new one, or null past the limit.
std::shared_ptr<const CompiledEntry> CompiledFunction::State::entry_for(const std::vector<Tensor>& inputs) {
  const std::lock_guard lock(mutex);
  std::vector<std::string> failures;
  for (auto it = entries.rbegin(); it != entries.rend(); ++it) {  // the newest is the likeliest
    std::optional<std::string> failure = (*it)->guards.failure(inputs);
    if (!failure) {
      ++stats.calls;
      return *it;
    }
    failures.push_back(std::move(*failure));
  }
  if (static_cast<int64_t>(entries.size()) >= options.recompile_limit) {
    ++stats.calls;
    if (!failures.empty()) stats.last_guard_failure = failures[0];  // none with a limit of 0
    if (!warned) {
      warned = true;
      GB_WARN(fmt::format(
          "gb::compile: the callable has {} compiled versions, the recompile_limit; calls that fit none of "
          "them run eagerly from now on. The last guard that failed: {}",
          entries.size(), stats.last_guard_failure));
    }
    return nullptr;
  }
  compiler::Graph graph = compiler::capture(fn, inputs, {options.input_names, options.parameter_names});
  auto entry = std::make_shared<const CompiledEntry>(std::move(graph), inputs);
  // Nothing is counted before this line: a capture or a build that throws leaves the statistics as they were.
  entries.push_back(entry);
  ++stats.calls;
  ++stats.compiles;
  if (entry->compiled.cache_outcome() != compiler::CacheOutcome::kBuilt) ++stats.cache_hits;
  stats.graph = compiler::to_string(entry->compiled.graph());
  stats.code = entry->compiled.source();
  stats.library = entry->compiled.library_path();
  if (!failures.empty()) {
    ++stats.recompiles;
    stats.last_guard_failure = failures[0];
    log(CompileLog::recompiles, fmt::format("recompile {}: {}", stats.recompiles, fmt::join(failures, "; ")));
  }
  if (log_enabled(CompileLog::guards)) log(CompileLog::guards, entry->guards.text());
  return entry;
}

CompiledFunction::CompiledFunction(Function fn, CompileOptions options) : state_(std::make_shared<State>()) {
  GB_CHECK_OR_THROW(fn, ValueError, .what = "gb::compile: the callable is empty",
                    .cause = "a std::function without a target", .repair = "pass a function or a lambda",
                    .chapter = chapters::kCompile);
  state_->fn = std::move(fn);
  state_->options = std::move(options);
}

std::vector<Tensor> CompiledFunction::operator()(const std::vector<Tensor>& inputs) const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    GB_CHECK_OR_THROW(inputs[i].defined(), ValueError, .what = "gb::compile: an input is an undefined tensor",
                      .cause = fmt::format("input {} of {}", i, inputs.size()),
                      .repair = "pass defined tensors", .chapter = chapters::kCompile);
  }
  if (compiler::is_capturing()) return state_->fn(inputs);  // part of a larger callable: captured with it
  const std::shared_ptr<const CompiledEntry> entry = state_->entry_for(inputs);
  if (!entry) return state_->run_eagerly(inputs);
  if (entry->records && entry->compiled.returns_an_input()) {
    log(CompileLog::recompiles,
        "run eagerly: an output is an input or a view of one, and its history must be kept");
    return state_->run_eagerly(inputs);
  }
  // The backward tells parameters apart only where each is a leaf (compiled_backward.cc).
  const auto has_history = [](const Tensor& t) { return t.requires_grad() && !t.is_leaf(); };
  if (entry->records && std::any_of(entry->lifted.begin(), entry->lifted.end(), has_history)) {
    log(CompileLog::recompiles, "run eagerly: a tensor that the callable holds has a grad_fn, and gradients are wanted");
    return state_->run_eagerly(inputs);
  }
  std::vector<Tensor> outputs = entry->compiled.run(inputs);
  if (entry->records) compiler::record_compiled_region(outputs, state_->fn, inputs, entry->lifted);
  return outputs;
}

Tensor CompiledFunction::operator()(const Tensor& input) const {
  std::vector<Tensor> outputs = (*this)(std::vector<Tensor>{input});
  GB_CHECK_OR_THROW(
      outputs.size() == 1, ValueError, .what = "gb::compile: a call with one tensor wants one tensor back",
      .cause = fmt::format("the callable returned {} tensors", outputs.size()),
      .repair = "call it with a list: compiled(std::vector<Tensor>{x})", .chapter = chapters::kCompile);
  return std::move(outputs[0]);
}

CompileStats CompiledFunction::stats() const {
  const std::lock_guard lock(state_->mutex);
  return state_->stats;
}

}  // namespace gb
