#include "nn/containers/any_module.h"

#include <fmt/format.h>

#include "core/error.h"
#include "dispatcher/function_traits.h"

namespace gb::nn::detail {

void throw_argument_count(const Module& module, size_t expected, size_t received) {
  GB_THROW(TypeError,
           .what = fmt::format("{}'s forward() method expects {} argument(s), but received {}", module.name(), expected,
                               received),
           .cause = "a module that is called through AnyModule has no default arguments",
           .repair = "pass all arguments, or wrap the module in one whose forward takes what you have",
           .chapter = chapters::kGrammar);
}

void throw_argument_type(size_t index, const std::type_info& expected, const std::type_info& received) {
  GB_THROW(TypeError,
           .what = fmt::format("AnyModule: Expected argument #{} to be of type {}, but received value of type {}", index,
                               demangle(expected.name()), demangle(received.name())),
           .cause = "arguments are not converted: the types must be the same", .repair = "convert it in the call",
           .chapter = chapters::kGrammar);
}

void throw_return_type(const std::type_info& returned, const std::type_info& asked) {
  GB_THROW(TypeError,
           .what = fmt::format("forward: The type of the return value is {}, but you asked for type {}",
                               demangle(returned.name()), demangle(asked.name())),
           .cause = "the last module returns what its forward returns",
           .repair = fmt::format("call forward<{}>(...)", demangle(returned.name())), .chapter = chapters::kGrammar);
}

void throw_cast(const Module* module, const std::type_info& wanted) {
  GB_THROW(TypeError,
           .what = fmt::format("Attempted to cast module of type {} to type {}", module ? module->name() : "(empty)",
                               demangle(wanted.name())),
           .cause = "a module comes out as the class it was put in as", .repair = "use ptr()->as<T>() for a base class",
           .chapter = chapters::kGrammar);
}

}  // namespace gb::nn::detail
