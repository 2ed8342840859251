#include "library/register_inplace_or_view.h"

#include "autograd/not_implemented_fallback.h"

namespace gb {

void register_inplace_or_view(Library& library, const char* name, Place at) {
  const OperatorHandle op = detail::find_defined("register_inplace_or_view", name);
  if (detail::is_functional(op.schema())) return;
  detail::check_free("register_inplace_or_view", op, DispatchKey::ADInplaceOrView, at);
  library.impl(name, DispatchKey::ADInplaceOrView, autogradNotImplementedInplaceOrViewFallback(), at.file, at.line);
}

}  // namespace gb
