#include "dispatcher/list.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb::detail {

void throw_wrong_length(const IValue& v, size_t wanted) {
  const size_t size = v.isTuple() ? v.toTupleRef().size() : v.toListRef().size();
  GB_THROW(ValueError, .what = fmt::format("IValue: expected {} elements but got {}", wanted, size),
           .cause = fmt::format("the value is a {} of type `{}`", v.tagKind(), v.type()->str()),
           .repair = fmt::format("pass {} elements", wanted), .chapter = chapters::kDispatch);
}

const IValue& ListImpl::at(size_t i) const {
  GB_CHECK_OR_THROW(i < list.size(), IndexError, .what = "List: index out of range",
                    .cause = fmt::format("index {} of {} elements", i, list.size()),
                    .repair = "use an index below size()", .chapter = chapters::kDispatch);
  return list[i];
}

}  // namespace gb::detail
