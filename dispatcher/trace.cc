#include "dispatcher/trace.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "dispatcher/operator_entry.h"

constinit std::atomic<int> gb_trace_flag{0};

namespace gb::trace {
namespace {

thread_local int t_depth = 0;
thread_local Recorder* t_recorder = nullptr;

// GB_TRACE=1 traces the whole program to stderr, GB_TRACE=json as JSON lines.
enum class Environment { kOff, kText, kJson };
Environment read_environment() {
  const char* value = std::getenv("GB_TRACE");
  if (!value || std::string_view(value).empty() || std::string_view(value) == "0") return Environment::kOff;
  gb_trace_flag.fetch_add(1);
  return std::string_view(value) == "json" ? Environment::kJson : Environment::kText;
}
const Environment g_environment = read_environment();

std::string argument_name(const Event& e, size_t i) {
  if (!e.op->hasSchema() || i >= e.op->schema().arguments().size()) return fmt::format("argument {}", i);
  return e.op->schema().arguments()[i].name();
}

// The next argument after `i` that carries keys, or n_arguments.
size_t next_tensor(const Event& e, size_t i) {
  do ++i;
  while (i < e.n_arguments && e.argument_keys[i].empty());
  return i;
}

// The mask by what it takes away, which is short: the functionalities that are fallthroughs here.
std::string masked_out(DispatchKeySet mask) {
  return gb::toString(DispatchKeySet(DispatchKeySet::RAW, DispatchKeySet(DispatchKeySet::FULL).raw_repr() &
                                                              ~mask.raw_repr()));
}

}  // namespace

const char* toString(CallKind kind) {
  switch (kind) {
    case CallKind::kCall: return "call";
    case CallKind::kRedispatch: return "redispatch";
    case CallKind::kCallBoxed: return "callBoxed";
    case CallKind::kRedispatchBoxed: return "redispatchBoxed";
  }
  return "unknown";
}

Hop::Hop(CallKind kind, const impl::OperatorEntry& op, const impl::RegisteredKernel& kernel, DispatchKeySet ks,
         const DispatchKeySet* argument_keys, size_t n_arguments) {
  const impl::LocalDispatchKeySet tls = impl::tls_local_dispatch_key_set();
  const Event event{.op = &op,
                    .kernel = &kernel,
                    .argument_keys = argument_keys,
                    .n_arguments = n_arguments,
                    .included = tls.included_,
                    .excluded = tls.excluded_,
                    .mask = op.mask_for(ks),
                    .keyset = ks,
                    .key = ks.highestPriorityTypeId(),
                    .kind = kind,
                    .depth = t_depth};
  gb_on_dispatch(&event);
  ++t_depth;
}

Hop::~Hop() { --t_depth; }

std::string to_line(const Event& e) {
  std::string line(static_cast<size_t>(e.depth) * 2, ' ');
  line += fmt::format("{} {}(", toString(e.kind), toString(e.op->operator_name()));
  // Arguments with the same key set, which is nearly always all of them, share one: "x, weight, bias: {CPU, ...}".
  for (size_t i = 0; i < e.n_arguments; ++i) {
    if (e.argument_keys[i].empty()) continue;
    if (line.back() != '(') line += ", ";
    line += argument_name(e, i);
    const size_t next = next_tensor(e, i);
    if (next == e.n_arguments || e.argument_keys[next] != e.argument_keys[i]) {
      line += fmt::format(": {}", gb::toString(e.argument_keys[i]));
    }
  }
  line += fmt::format(") | TLS +{} -{} | mask -{}", gb::toString(e.included), gb::toString(e.excluded), masked_out(e.mask));
  // A redispatch takes the set it is given; what the thread excludes by now shows in the calls below it.
  const bool again = e.kind == CallKind::kRedispatch || e.kind == CallKind::kRedispatchBoxed;
  if (again) line += fmt::format(" | given {}", gb::toString(e.keyset));
  line += fmt::format(" => {} : {}, {}", gb::toString(e.key), impl::toString(e.op->reason(e.key)), e.kernel->debug);
  return line;
}

std::string to_json(const Event& e) {
  std::string arguments;
  for (size_t i = 0; i < e.n_arguments; ++i) {
    if (e.argument_keys[i].empty()) continue;
    arguments += fmt::format("{}\"{}\":\"{}\"", arguments.empty() ? "" : ",", argument_name(e, i),
                             gb::toString(e.argument_keys[i]));
  }
  return fmt::format(
      "{{\"kind\":\"{}\",\"depth\":{},\"op\":\"{}\",\"arguments\":{{{}}},\"tls_include\":\"{}\",\"tls_exclude\":\"{}\","
      "\"masked_out\":\"{}\",\"keyset\":\"{}\",\"key\":\"{}\",\"reason\":\"{}\",\"kernel\":\"{}\"}}",
      toString(e.kind), e.depth, toString(e.op->operator_name()), arguments, gb::toString(e.included),
      gb::toString(e.excluded), masked_out(e.mask), gb::toString(e.keyset), gb::toString(e.key),
      impl::toString(e.op->reason(e.key)), e.kernel->debug);
}

Recorder::Recorder() : outer_(t_recorder) {
  t_recorder = this;
  gb_trace_flag.fetch_add(1);
}
Recorder::~Recorder() {
  gb_trace_flag.fetch_sub(1);
  t_recorder = outer_;
}

void Recorder::keep(const Event& event) {
  tree_.push_back(to_line(event));
  json_.push_back(to_json(event));
}

std::string Recorder::tree() const { return tree_.empty() ? "" : fmt::format("{}\n", fmt::join(tree_, "\n")); }
std::string Recorder::json_lines() const { return json_.empty() ? "" : fmt::format("{}\n", fmt::join(json_, "\n")); }

}  // namespace gb::trace

[[gnu::noinline]] void gb_on_dispatch(const gb::trace::Event* event) {
  using namespace gb::trace;
  if (t_recorder) t_recorder->keep(*event);
  if (g_environment == Environment::kText) fmt::print(stderr, "{}\n", to_line(*event));
  if (g_environment == Environment::kJson) fmt::print(stderr, "{}\n", to_json(*event));
}
