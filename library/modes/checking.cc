#include "library/modes/checking.h"

#include <optional>

#include "library/fake_contract.h"
#include "library/schema_contract.h"

namespace gb {

void CheckingMode::dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  const FunctionSchema& schema = op.schema();
  const ArrayRef<IValue> arguments = jit::last(*stack, schema.arguments().size());
  std::optional<SchemaContract> by_schema;
  std::optional<FakeContract> by_fake;
  if (rules_.schema) by_schema.emplace(schema, arguments);
  if (rules_.fake) by_fake.emplace(op, arguments);
  op.redispatchBoxed(ks, stack);
  ++calls_checked_;

  const ArrayRef<IValue> results = jit::last(*stack, schema.returns().size());
  if (by_schema) by_schema->check(results);
  if (!by_fake) return;
  try {
    by_fake->check(results);
  } catch (const NotImplementedError&) {
    without_fake_.insert(toString(op.operator_name()));
  }
}

}  // namespace gb
