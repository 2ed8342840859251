#include "dispatcher/infer_schema.h"

#include <string>

namespace gb::detail {

std::unique_ptr<FunctionSchema> make_inferred_schema(ArrayRef<TypeGetter> arguments,
                                                     ArrayRef<TypeGetter> returns) {
  std::vector<Argument> args, rets;
  for (size_t i = 0; i < arguments.size(); ++i) args.emplace_back("_" + std::to_string(i), arguments[i]());
  for (const TypeGetter type : returns) rets.emplace_back("", type());
  return std::make_unique<FunctionSchema>("", "", std::move(args), std::move(rets));
}

}  // namespace gb::detail
