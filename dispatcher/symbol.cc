#include "dispatcher/symbol.h"

#include <fmt/format.h>

#include <mutex>
#include <unordered_set>

#include "core/error.h"

namespace gb {

Symbol Symbol::fromQualString(const std::string& text) {
  GB_CHECK_OR_THROW(text.find("::") != std::string::npos, ValueError,
                    .what = "Symbol: the name has no namespace",
                    .cause = fmt::format("`{}` contains no `::`", text), .repair = "write it as `ns::name`",
                    .chapter = chapters::kDispatch);
  // Never freed: symbols live as long as any schema, also one in a static object. A set's elements do not
  // move.
  static std::mutex& mutex = *new std::mutex;
  static std::unordered_set<std::string>& names = *new std::unordered_set<std::string>;
  const std::lock_guard<std::mutex> lock(mutex);
  return Symbol(&*names.insert(text).first);
}

}  // namespace gb
