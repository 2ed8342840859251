// gb layout: the key set word and the row of the table that it picks from, drawn from the code.
#include <fmt/format.h>

#include "tools/gb_parts.h"

namespace gb::tools {

Output show_layout(const Line&) {
  std::string text = fmt::format(
      "the word: {} of 64 bits; the row: {} slots\n\n"
      "slot = first slot of the highest functionality in the set, plus, where it has one slot per backend, "
      "the place\n"
      "       of the set's highest backend among the backends. A set without functionality: slot 0, "
      "Undefined.\n\n"
      " bit  backend\n",
      num_backends + num_functionality_keys - 1, num_runtime_entries);
  for (int b = 0; b < num_backends; ++b) {
    const DispatchKey dense =
        toRuntimePerBackendFunctionalityKey(DispatchKey::Dense, static_cast<BackendComponent>(b + 1));
    text += fmt::format("{:>4}  {}\n", b, toString(dense));
  }
  text += "\n bit  functionality                  slots\n   -  Undefined                          0\n";
  for (int f = 1; f < num_functionality_keys; ++f) {
    const auto key = static_cast<DispatchKey>(f);
    const int first = getDispatchTableIndexForDispatchKey(key);
    const std::string slots = isPerBackendFunctionalityKey(key)
                                  ? fmt::format("{}-{}", first, first + num_backends - 1)
                                  : std::to_string(first);
    text += fmt::format("{:>4}  {:<27} {:>8}\n", num_backends + f - 1, toString(key), slots);
  }
  return {0, text, ""};
}

}  // namespace gb::tools
