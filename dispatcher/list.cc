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

size_t ListImpl::position(const IValue* at, size_t last) const {
  const std::ptrdiff_t i = at - list.data();
  GB_CHECK_OR_THROW(i >= 0 && static_cast<size_t>(i) <= last, IndexError,
                    .what = "List: the iterator points to no place of this list",
                    .cause = fmt::format("{} elements from the first one; the last place is {}", i, last),
                    .repair = "use an iterator of this list, made after its last change",
                    .chapter = chapters::kDispatch);
  return static_cast<size_t>(i);
}

void check_element_type(const ListImpl& impl, const Type& element) {
  GB_CHECK_OR_THROW(
      element.kind() == TypeKind::AnyType || impl.elementType->equals(element), TypeError,
      .what = fmt::format("IValue: expected a list of `{}` but got a list of `{}`", element.str(),
                          impl.elementType->str()),
      .cause = fmt::format("the list has {} elements; a List shares them, so they cannot be converted",
                           impl.list.size()),
      .repair = "read it as a std::vector, which copies the elements, or make the list with the right type",
      .chapter = chapters::kDispatch);
}

}  // namespace gb::detail
