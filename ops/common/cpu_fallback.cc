#include "ops/common/cpu_fallback.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/warning.h"
#include "dispatcher/tensors_in_value.h"

namespace gb::native {
namespace {

// Where results go: the device of the first argument that is not on the CPU.
Device target_device(ArrayRef<IValue> arguments) {
  for (const IValue& value : arguments) {
    if (value.isDevice() && !value.toDevice().is_cpu()) return value.toDevice();
    for (const Tensor& t : tensors_in(value))
      if (!t.is_cpu()) return t.device();
  }
  return Device(kCPU);
}

void write_back(const OperatorHandle& op, const IValue& original, const IValue& on_cpu) {
  const std::vector<Tensor> to = tensors_in(original), from = tensors_in(on_cpu);
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i].is_same(from[i])) continue;  // it was on the CPU all along
    GB_CHECK_OR_THROW(to[i].sizes() == from[i].sizes(), NotImplementedError,
                      .what = fmt::format("cpu_fallback: {} resized an argument that it writes",
                                          toString(op.operator_name())),
                      .cause = fmt::format("it was {} and is {} on the CPU", to_string(to[i].sizes()),
                                           to_string(from[i].sizes())),
                      .repair = "pass a tensor of the result's shape, or register a kernel of your own",
                      .chapter = chapters::kDispatch);
    to[i].copy_(from[i]);
  }
}

// The argument that result `i` is by the schema: annotated alike, and written. Or nothing.
std::optional<size_t> written_argument(const FunctionSchema& schema, size_t i) {
  const AliasInfo* result = schema.returns()[i].alias_info();
  for (size_t a = 0; result && a < schema.arguments().size(); ++a) {
    const gb::Argument& argument = schema.arguments()[a];
    if (argument.is_write() && argument.alias_info()->beforeSets() == result->beforeSets()) return a;
  }
  return {};
}

void report_view(const OperatorHandle& op, bool is_error) {
  const std::string what =
      fmt::format("cpu_fallback: {} returns a view, and a view of a CPU copy is none of the argument",
                  toString(op.operator_name()));
  GB_CHECK_OR_THROW(!is_error, NotImplementedError, .what = what,
                    .cause = fmt::format("its schema is {}", toString(op.schema())),
                    .repair = "register a kernel for it: a view moves no data",
                    .chapter = chapters::kDispatch);
  GB_WARN(what + "; writes to the result will not reach it");
}

}  // namespace

void cpu_fallback(const OperatorHandle& op, Stack* stack, bool error_on_views, DispatchKey cpu_dispatch_key) {
  const FunctionSchema& schema = op.schema();
  const std::vector<IValue> arguments = jit::pop(*stack, schema.arguments().size());
  for (size_t i = 0; i < schema.returns().size(); ++i) {
    const bool is_view = schema.returns()[i].alias_info() && !written_argument(schema, i);
    if (is_view) report_view(op, error_on_views);
  }
  const Device target = target_device(arguments);
  const AutoDispatchBelowADInplaceOrView copies_are_not_recorded;

  std::vector<IValue> on_cpu;
  for (const IValue& value : arguments) {
    if (value.isDevice())
      on_cpu.emplace_back(Device(kCPU));
    else
      on_cpu.push_back(
          map_tensors(value, [](const Tensor& t) { return t.to(Device(kCPU), t.scalar_type()); }));
  }
  for (const IValue& value : on_cpu) stack->push_back(value);
  op.redispatchBoxed(DispatchKeySet(cpu_dispatch_key), stack);

  for (size_t a = 0; a < arguments.size(); ++a)
    if (schema.arguments()[a].is_write()) write_back(op, arguments[a], on_cpu[a]);
  std::vector<IValue> results = jit::pop(*stack, schema.returns().size());
  for (size_t i = 0; i < results.size(); ++i) {
    if (const auto argument = written_argument(schema, i))
      results[i] = arguments[*argument];
    else
      results[i] = map_tensors(results[i], [&](const Tensor& t) { return t.to(target, t.scalar_type()); });
  }
  for (IValue& result : results) stack->push_back(std::move(result));
}

}  // namespace gb::native
