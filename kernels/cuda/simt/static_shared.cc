#include "kernels/cuda/simt/static_shared.h"

#include <elf.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>

extern "C" char __bss_start[], _end[];  // the linker's: the data that begins as zeros

namespace gb::simt {
namespace {

struct Symbol {
  std::string name;
  char* address;
  size_t bytes;
};

// The functions and variables of this program, with their mangled names.
std::vector<Symbol> symbols() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string image(std::istreambuf_iterator<char>(file), {});
  std::vector<Symbol> found;
  if (image.size() < sizeof(Elf64_Ehdr)) return found;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(image.data());
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(image.data() + header->e_shoff);
  size_t loaded_at = 0;
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* table = reinterpret_cast<const Elf64_Sym*>(image.data() + sections[i].sh_offset);
    const char* names = image.data() + sections[sections[i].sh_link].sh_offset;
    for (size_t s = 0; s < sections[i].sh_size / sizeof(Elf64_Sym); ++s) {
      const int type = ELF64_ST_TYPE(table[s].st_info);
      const std::string name = names + table[s].st_name;
      if (name == "__bss_start") loaded_at = reinterpret_cast<size_t>(__bss_start) - table[s].st_value;
      if (type == STT_FUNC || type == STT_OBJECT)
        found.push_back({name, reinterpret_cast<char*>(table[s].st_value), table[s].st_size});
    }
  }
  for (Symbol& symbol : found) symbol.address += loaded_at;
  return found;
}

}  // namespace

const std::vector<SharedArray>& static_shared_of(const void* kernel) {
  static const std::vector<Symbol> all = symbols();
  static std::map<const void*, std::vector<SharedArray>> known;
  const auto [entry, is_new] = known.try_emplace(kernel);
  if (!is_new) return entry->second;
  for (const Symbol& function : all) {
    if (function.address != kernel || function.name.rfind("_Z", 0) != 0) continue;
    const std::string prefix = "_ZZ" + function.name.substr(2) + "E";
    for (const Symbol& variable : all)
      if (variable.name.rfind(prefix, 0) == 0 && variable.address >= __bss_start && variable.address < _end)
        entry->second.push_back({variable.address, variable.bytes});
  }
  return entry->second;
}

}  // namespace gb::simt
