#include "nn/ordered_dict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"

namespace gb::detail {

void throw_repeated_key(const std::string& key) {
  GB_THROW(ValueError, .what = fmt::format("OrderedDict: key '{}' already defined", key),
           .cause = "a key stands once, so that a name means one thing", .repair = "choose another name",
           .chapter = chapters::kGrammar);
}

void throw_unknown_key(const std::string& key, const std::vector<std::string>& known) {
  GB_THROW(IndexError, .what = fmt::format("OrderedDict: key '{}' is not defined", key),
           .cause = known.empty() ? std::string("it is empty") : fmt::format("the keys are: {}", fmt::join(known, ", ")),
           .repair = "use one of them, or find(), which answers null", .chapter = chapters::kGrammar);
}

}  // namespace gb::detail
