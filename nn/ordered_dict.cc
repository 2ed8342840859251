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

void throw_bad_index(size_t index, size_t size) {
  GB_THROW(IndexError,
           .what = size == 0 ? std::string("OrderedDict: called front(), back() or [0] on an empty OrderedDict")
                             : fmt::format("OrderedDict: Index {} is out of bounds", index),
           .cause = fmt::format("it has {} items", size), .repair = "ask size() or is_empty() first",
           .chapter = chapters::kGrammar);
}

}  // namespace gb::detail
