#include "library/register_fake.h"

#include <fmt/format.h>

#include "core/error.h"
#include "library/register_kernel.h"

namespace gb::detail {
namespace {

void fake_is_missing(const OperatorHandle& op, Stack*) {
  GB_THROW(
      NotImplementedError,
      .what = fmt::format("{}: There was no fake impl registered for this operator", toString(op.operator_name())),
      .cause = "it was called with a Meta tensor: shapes only, no data for the forward to read",
      .repair = "call .register_fake(f) on its custom_op, with an f that returns an empty tensor of the right shape",
      .chapter = chapters::kCustomOps);
}

// What is written keeps its shape, and nothing is returned.
void nothing_to_fake(const OperatorHandle& op, Stack* stack) { jit::drop(stack, op.schema().arguments().size()); }

}  // namespace

Library fake_stand_in(const OperatorHandle& op, const Place& defined_at) {
  const std::string name = toString(op.operator_name());
  Library library(Library::FRAGMENT, std::string(*op.schema().getNamespace()), std::nullopt, __FILE__, __LINE__);
  const bool trivial = op.schema().is_mutable() && op.schema().returns().empty();
  library.impl(
      name.c_str(), DispatchKey::Meta,
      trivial ? CppFunction::makeFromBoxedFunction<&nothing_to_fake>().debug(
                    "writes and returns nothing, so there is nothing to fake; custom_op at " + to_string(defined_at))
              : CppFunction::makeFromBoxedFunction<&fake_is_missing>().debug("no register_fake for custom_op at " +
                                                                             to_string(defined_at)));
  return library;
}

void register_fake(Library& library, const char* name, CppFunction&& fake, const Place& at) {
  const OperatorHandle op = find_defined("register_fake", name);
  GB_CHECK_OR_THROW(
      !op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd), Error,
      .what = fmt::format("register_fake: the operator {} already has an implementation for this device type "
                          "via a pre-existing registration to DispatchKey::CompositeImplicitAutograd",
                          name),
      .cause = fmt::format("it is made of other operators: {}", op.entry().listKernels()),
      .repair = "leave the fake out: the operator decomposes into its parts, and those have fakes",
      .chapter = chapters::kCustomOps);
  check_free("register_fake", op, DispatchKey::Meta, at);
  library.impl(name, DispatchKey::Meta, std::move(fake), at.file, at.line);
  select_backend(library, op, at);
}

}  // namespace gb::detail
