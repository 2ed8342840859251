// Which types of values can share memory: what FunctionSchema and SchemaInfo ask before they look at annotations.
#pragma once

#include <vector>

#include "dispatcher/function_schema.h"

namespace gb::detail {

using AliasTypeSet = std::vector<TypePtr>;

// The types of memory that a value of `type` may be: an optional is what is in it, a number is none.
AliasTypeSet mapTypeToAliasTypeSet(const TypePtr& type);
// Every type that stands inside these, however deep; numbers too, as in PyTorch.
AliasTypeSet getAliasTypeSetContainedTypes(const AliasTypeSet& types);
// Is a type in both, or can one be anything?
bool canAliasTypeSetsAlias(const AliasTypeSet& a, const AliasTypeSet& b);

}  // namespace gb::detail
