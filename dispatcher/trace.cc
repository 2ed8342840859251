#include "dispatcher/trace.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "dispatcher/json.h"
#include "dispatcher/operator_entry.h"
#include "dispatcher/trace_print.h"
#include "dispatcher/trace_stream.h"

constinit std::atomic<int> gb_trace_flag{0};

namespace gb::trace {
namespace {

thread_local const Hop* t_innermost = nullptr;
thread_local Recorder* t_recorder = nullptr;

// GB_TRACE is read before main(), so that what other files do then is the only thing that it misses.
Stream* start_stream() {
  Stream* stream = Stream::from_environment();
  if (stream) {
    gb_trace_flag.fetch_add(1);
    std::atexit([] { Stream::from_environment()->close(); });
  }
  return stream;
}
Stream* const g_stream = start_stream();

uint64_t this_thread() {
  static std::atomic<uint64_t> threads = 0;
  thread_local const uint64_t number = ++threads;
  return number;
}

int64_t now_ns() {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point first = Clock::now();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - first).count();
}

int max_depth() {
  static const int depth = [] {
    const char* text = std::getenv("GB_TRACE_MAX_DEPTH");
    const int asked = text ? std::atoi(text) : 0;
    return asked > 0 ? asked : 1000;
  }();
  return depth;
}

// What a kernel at `key` leaves of its key set when it redispatches.
std::string mask_below(DispatchKey key) {
  switch (toFunctionalityKey(key)) {
    case DispatchKey::AutogradFunctionality:
    case DispatchKey::AutogradOther:
      return "after_autograd_keyset";
    case DispatchKey::ADInplaceOrView:
      return "after_ADInplaceOrView_keyset";
    default:
      return fmt::format("DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::{})", gb::toString(key));
  }
}

// Listens to all launches of the program.
void on_launch(const KernelLaunch& launch) {
  if (!is_enabled()) return;
  const LaunchEvent event{&launch, Hop::innermost(), this_thread(), now_ns()};
  gb_on_launch(&event);
}
[[maybe_unused]] const bool g_listening = (kernel_launch_hook = &on_launch, true);

}  // namespace

const Event* Hop::innermost() { return t_innermost ? &t_innermost->event_ : nullptr; }

Hop::Hop(CallKind kind, const impl::OperatorEntry& op, const impl::RegisteredKernel& kernel,
         DispatchKeySet ks, const DispatchKeySet* argument_keys, size_t n_arguments)
    : outer_(t_innermost) {
  static std::atomic<uint64_t> hops = 0;
  const impl::LocalDispatchKeySet tls = impl::tls_local_dispatch_key_set();
  event_ = {.op = &op,
            .kernel = &kernel,
            .argument_keys = argument_keys,
            .n_arguments = n_arguments,
            .included = tls.included_,
            .excluded = tls.excluded_,
            .mask = op.mask_for(ks),
            .keyset = ks,
            .key = ks.highestPriorityTypeId(),
            .kind = kind,
            .depth = outer_ ? outer_->event_.depth + 1 : 0,
            .id = ++hops,
            .parent = outer_ ? outer_->event_.id : 0,
            .thread = this_thread(),
            .begin_ns = now_ns(),
            .duration_ns = -1,
            .error = nullptr};
  if (event_.depth >= max_depth()) throw_too_deep();
  gb_on_dispatch(&event_);
  t_innermost = this;
  event_.begin_ns = now_ns();  // again: what reporting cost is not the operator's
}

Hop::~Hop() {
  event_.duration_ns = now_ns() - event_.begin_ns;
  t_innermost = outer_;
  gb_on_return(&event_);
}

void Hop::note_exception() {
  std::string text;
  try {
    throw;
  } catch (const Error& e) {
    text = e.what_without_backtrace();
  } catch (const std::exception& e) {
    text = e.what();
  } catch (...) {
    text = "no std::exception";
  }
  error_ = fmt::format("{}: {}", demangle(abi::__cxa_current_exception_type()->name()),
                       text.substr(0, text.find('\n')));
  event_.error = error_.c_str();
}

void Hop::throw_too_deep() const {
  const auto place = [](const Event& e) {
    return fmt::format("{} at {} ({})", gb::toString(e.op->operator_name()), gb::toString(e.key),
                       e.kernel->debug);
  };
  // The nearest hop further out with the same operator and key: what lies between repeats itself.
  const Hop* same = outer_;
  while (same && (same->event_.op != event_.op || same->event_.key != event_.key)) same = same->outer_;
  std::vector<std::string> round;
  for (const Hop* hop = outer_; same && hop != same; hop = hop->outer_) round.push_back(place(hop->event_));
  std::reverse(round.begin(), round.end());
  std::string cause = fmt::format("the innermost: {}; none of the hops around it is the same", place(event_));
  if (same)
    cause = fmt::format("the kernel of {} comes back to itself{}", place(event_),
                        round.empty() ? "" : " by way of ");
  GB_THROW(Error,
           .what = fmt::format("{}: infinite recursion? {} hops of the dispatcher are nested on this thread",
                               gb::toString(event_.op->operator_name()), event_.depth),
           .cause = cause + fmt::format("{}", fmt::join(round, ", ")),
           .repair = fmt::format(
               "take the key {0} off before that kernel calls on: redispatch with ks & {1}, or call under a "
               "guard that excludes {0}. GB_TRACE_MAX_DEPTH sets the limit",
               gb::toString(event_.key), mask_below(event_.key)),
           .chapter = chapters::kDispatch);
}

Recorder::Recorder(Filter filter) : filter_(std::move(filter)), outer_(t_recorder) {
  t_recorder = this;
  gb_trace_flag.fetch_add(1);
}
Recorder::~Recorder() {
  gb_trace_flag.fetch_sub(1);
  t_recorder = outer_;
}

void Recorder::keep(const Event& event) {
  if (!filter_.passes(event)) return;
  open_.push_back(records_.size());
  records_.push_back({event.id, to_line(event), "", to_ending(event, /*times=*/true), to_json(event), ""});
}

void Recorder::keep(const LaunchEvent& event) {
  if (!filter_.passes(event)) return;
  records_.push_back({0, to_line(event), "", "", to_json(event), to_chrome(event)});
}

void Recorder::finish(const Event& event) {
  if (open_.empty() || records_[open_.back()].id != event.id)
    return;  // filtered out, or begun before this Recorder
  Record& record = records_[open_.back()];
  open_.pop_back();
  record.ending = to_ending(event, /*times=*/false);
  record.timed_ending = to_ending(event, /*times=*/true);
  record.json = to_json(event);
  record.chrome = to_chrome(event);
}

std::string Recorder::tree(Times times) const {
  std::string text;
  for (const Record& r : records_) text += r.line + (times == kWithTimes ? r.timed_ending : r.ending) + '\n';
  return text;
}

std::string Recorder::json_lines() const {
  std::string text;
  for (const Record& r : records_) text += r.json + '\n';
  return text;
}

std::string Recorder::chrome_trace() const {
  std::vector<std::string> ended;
  for (const Record& r : records_) {
    if (!r.chrome.empty()) ended.push_back(r.chrome);
  }
  return json::lines(ended);
}

}  // namespace gb::trace

[[gnu::noinline]] void gb_on_dispatch(const gb::trace::Event* event) {
  using namespace gb::trace;
  if (t_recorder) t_recorder->keep(*event);
  if (g_stream) g_stream->begin(*event);
}

[[gnu::noinline]] void gb_on_return(const gb::trace::Event* event) {
  using namespace gb::trace;
  if (t_recorder) t_recorder->finish(*event);
  if (g_stream) g_stream->end(*event);
}

[[gnu::noinline]] void gb_on_launch(const gb::trace::LaunchEvent* event) {
  using namespace gb::trace;
  if (t_recorder) t_recorder->keep(*event);
  if (g_stream) g_stream->launch(*event);
}
