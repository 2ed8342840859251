#include "dispatcher/trace_print.h"

#include <fmt/format.h>
#include <unistd.h>

#include "dispatcher/explain_table.h"
#include "dispatcher/json.h"

namespace gb::trace {
namespace {

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

std::string microseconds(int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

}  // namespace

const char* toString(CallKind kind) {
  switch (kind) {
    case CallKind::kCall:
      return "call";
    case CallKind::kRedispatch:
      return "redispatch";
    case CallKind::kCallBoxed:
      return "callBoxed";
    case CallKind::kRedispatchBoxed:
      return "redispatchBoxed";
  }
  return "unknown";
}

std::string to_line(const Event& e) {
  std::string line(static_cast<size_t>(e.depth) * 2, ' ');
  line += fmt::format("{} {}(", toString(e.kind), toString(e.op->operator_name()));
  // Arguments with the same key set, which is nearly always all of them, share one: "x, weight, bias: {CPU,
  // ...}".
  for (size_t i = 0; i < e.n_arguments; ++i) {
    if (e.argument_keys[i].empty()) continue;
    if (line.back() != '(') line += ", ";
    line += argument_name(e, i);
    const size_t next = next_tensor(e, i);
    if (next == e.n_arguments || e.argument_keys[next] != e.argument_keys[i]) {
      line += fmt::format(": {}", gb::toString(e.argument_keys[i]));
    }
  }
  line += fmt::format(") | TLS +{} -{} | mask -{}", gb::toString(e.included), gb::toString(e.excluded),
                      gb::toString(masked_out(e.mask)));
  // A redispatch takes the set it is given; what the thread excludes by now shows in the calls below it.
  const bool again = e.kind == CallKind::kRedispatch || e.kind == CallKind::kRedispatchBoxed;
  if (again) line += fmt::format(" | given {}", gb::toString(e.keyset));
  line += fmt::format(" => {} : {}, {}", gb::toString(e.key), impl::toString(e.op->reason(e.key)),
                      e.kernel->debug);
  return line;
}

std::string to_ending(const Event& e, bool times) {
  std::string text;
  if (times)
    text += e.duration_ns < 0 ? " [not ended]" : fmt::format(" [{} us]", microseconds(e.duration_ns));
  if (e.error) text += fmt::format(" ! {}", e.error);
  return text;
}

std::string to_json(const Event& e) {
  std::vector<std::string> names;  // own what `arguments` points to
  names.reserve(e.n_arguments);
  std::vector<json::Member> arguments;
  for (size_t i = 0; i < e.n_arguments; ++i) {
    if (e.argument_keys[i].empty()) continue;
    names.push_back(argument_name(e, i));
    arguments.push_back({names.back(), json::keys(e.argument_keys[i])});
  }
  return json::object({
      {"id", std::to_string(e.id)},
      {"parent", std::to_string(e.parent)},
      {"thread", std::to_string(e.thread)},
      {"depth", std::to_string(e.depth)},
      {"kind", json::quoted(toString(e.kind))},
      {"op", json::quoted(toString(e.op->operator_name()))},
      {"arguments", json::object(arguments)},
      {"tls_include", json::keys(e.included)},
      {"tls_exclude", json::keys(e.excluded)},
      {"masked_out", json::keys(masked_out(e.mask))},
      {"keyset", json::keys(e.keyset)},
      {"key", json::quoted(gb::toString(e.key))},
      {"slot", std::to_string(e.keyset.getDispatchTableIndexForDispatchKeySet())},
      {"reason", json::quoted(impl::toString(e.op->reason(e.key)))},
      {"kernel", json::quoted(e.kernel->debug)},
      {"begin_us", microseconds(e.begin_ns)},
      {"duration_us", e.duration_ns < 0 ? "null" : microseconds(e.duration_ns)},
      {"error", e.error ? json::quoted(e.error) : "null"},
  });
}

std::string to_chrome(const Event& e) {
  return json::object({
      {"name", json::quoted(fmt::format("{} [{}]", toString(e.op->operator_name()), gb::toString(e.key)))},
      {"cat", json::quoted(toString(e.kind))},
      {"ph", "\"X\""},
      {"ts", microseconds(e.begin_ns)},
      {"dur", microseconds(e.duration_ns)},
      {"pid", std::to_string(getpid())},
      {"tid", std::to_string(e.thread)},
      {"args", to_json(e)},
  });
}

namespace {

// CUDA's handles are addresses, which differ from run to run; the default stream is none.
std::string stream_name(const void* stream) { return stream ? fmt::format("{}", stream) : "default"; }

std::string triple(const unsigned (&v)[3]) {
  return json::array({std::to_string(v[0]), std::to_string(v[1]), std::to_string(v[2])});
}

}  // namespace

std::string to_line(const LaunchEvent& e) {
  const KernelLaunch& launch = *e.launch;
  return fmt::format("{:{}}launch {} {}, stream {}, {}:{}", "", e.hop ? (e.hop->depth + 1) * 2 : 0, kernel_name(launch),
                     configuration(launch), stream_name(launch.stream), launch.file, launch.line);
}

std::string to_json(const LaunchEvent& e) {
  const KernelLaunch& launch = *e.launch;
  return json::object({
      {"parent", std::to_string(e.hop ? e.hop->id : 0)},
      {"thread", std::to_string(e.thread)},
      {"depth", std::to_string(e.hop ? e.hop->depth + 1 : 0)},
      {"kind", json::quoted("launch")},
      {"kernel", json::quoted(kernel_name(launch))},
      {"grid", triple(launch.grid)},
      {"block", triple(launch.block)},
      {"shared_bytes", std::to_string(launch.shared_bytes)},
      {"stream", json::quoted(stream_name(launch.stream))},
      {"place", json::quoted(fmt::format("{}:{}", launch.file, launch.line))},
      {"begin_us", microseconds(e.begin_ns)},
  });
}

std::string to_chrome(const LaunchEvent& e) {
  return json::object({
      {"name", json::quoted(fmt::format("launch {}", kernel_name(*e.launch)))},
      {"cat", json::quoted("launch")},
      {"ph", "\"i\""},
      {"s", "\"t\""},  // an instant of its thread
      {"ts", microseconds(e.begin_ns)},
      {"pid", std::to_string(getpid())},
      {"tid", std::to_string(e.thread)},
      {"args", to_json(e)},
  });
}

}  // namespace gb::trace
