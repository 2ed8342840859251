// gb layout: the key set word and the row of the table that it picks from, drawn from the code.
#include <fmt/format.h>

#include "tools/gb_parts.h"

namespace gb::tools {
namespace {

constexpr int kBits = num_backends + num_functionality_keys - 1;  // Undefined has none

// The used bits of the word, highest first: the numbers, a box of bits per sort, and what the two sorts are.
std::string draw_word(DispatchKeySet ks) {
  std::string numbers, line, bits;
  for (int bit = kBits - 1; bit >= 0; --bit) {
    const char* edge = bit == num_backends - 1 || bit == kBits - 1 ? " " : "";
    numbers += fmt::format("{}{:>3}", edge, bit);
    line += fmt::format("{}---", bit == num_backends - 1 || bit == kBits - 1 ? "+" : "");
    bits += fmt::format("{}{:>2} ", bit == num_backends - 1 || bit == kBits - 1 ? "|" : "",
                        ks.raw_repr() >> bit & 1);
  }
  const int left = 3 * (num_functionality_keys - 1);
  return fmt::format("  bit {}\n      {}+\n      {}|\n      {}+\n       {:<{}} {}\n", numbers, line, bits,
                     line, "functionalities: what to do", left, "backends: where");
}

std::string draw_row() {
  std::string text = "  slots    bit  functionality               one per backend\n";
  for (int f = 0; f < num_functionality_keys; ++f) {
    const auto key = static_cast<DispatchKey>(f);
    const int first = getDispatchTableIndexForDispatchKey(key);
    const bool many = isPerBackendFunctionalityKey(key);
    std::string names;
    for (int b = 1; many && b <= num_backends; ++b) {
      const DispatchKey runtime = toRuntimePerBackendFunctionalityKey(key, static_cast<BackendComponent>(b));
      names += fmt::format("{}{}", b == 1 ? "" : " ", toString(runtime));
    }
    const std::string slots =
        many ? fmt::format("{}-{}", first, first + num_backends - 1) : std::to_string(first);
    std::string line = fmt::format("  {:<8} {:>3}  {:<27} {}", slots,
                                   f == 0 ? "-" : std::to_string(num_backends + f - 1), toString(key), names);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

// What a call with one plain CPU tensor does on a fresh thread.
std::string example() {
  const DispatchKeySet tensor(
      {DispatchKey::CPU, DispatchKey::ADInplaceOrView, DispatchKey::AutogradCPU, DispatchKey::AutocastCPU});
  const DispatchKeySet ks = (tensor | default_included_set) - default_excluded_set;
  const DispatchKey functionality = ks.highestFunctionalityKey();
  const int first = getDispatchTableIndexForDispatchKey(functionality);
  return fmt::format(
      "a plain CPU tensor   0x{:05x}  {}\n| thread includes    0x{:05x}  {}\n- thread excludes    0x{:05x}  "
      "{}\n"
      "=                    0x{:05x}  {}\n\n"
      "highest functionality {}: first slot {}\nhighest backend {}: + {}\nslot {}: {}\n",
      tensor.raw_repr(), toString(tensor), default_included_set.raw_repr(), toString(default_included_set),
      default_excluded_set.raw_repr(), "the autocast keys", ks.raw_repr(), toString(ks),
      toString(functionality), first, toString(ks.highestBackendKey()), ks.getBackendIndex(),
      ks.getDispatchTableIndexForDispatchKeySet(), toString(ks.highestPriorityTypeId()));
}

}  // namespace

Output show_layout(const Line&) {
  const DispatchKeySet cpu(
      {DispatchKey::CPU, DispatchKey::ADInplaceOrView, DispatchKey::AutogradCPU, DispatchKey::AutocastCPU});
  return {0,
          fmt::format("the word: {} of 64 bits; here the set of a plain CPU tensor\n\n{}\n"
                      "the row: {} slots of {} bytes at the front of each operator's entry, then {} masks of "
                      "{} bytes\n\n{}\n"
                      "from the word to a slot, on a fresh thread\n\n{}",
                      kBits, draw_word(cpu), num_runtime_entries, sizeof(void*), num_backends,
                      sizeof(uint64_t), draw_row(), example()),
          ""};
}

}  // namespace gb::tools
