// From generated source to a function in this process: the system compiler, dlopen, and a cache on disk.
//
// The library's name is a hash of all that decides its content: the source, the compiler and its version, the
// flags, and the processor (-march=native means another thing elsewhere). The source lies beside it, and is
// compared on a hit, so that a collision of hashes is a miss. Files appear under a temporary name and are
// renamed when complete: a reader never sees half a file, also with several processes at once.
//
// Folder: $GB_CACHE_DIR, else under $TEST_TMPDIR in tests, else $XDG_CACHE_HOME/glassbox, else
// ~/.cache/glassbox. Compiler: $GB_CXX, else c++. In PyTorch: torch/_inductor/codecache.py.
#pragma once

#include <memory>
#include <string>

#include "compile/host_abi.h"

namespace gb::compiler {

enum class CacheOutcome : uint8_t { kBuilt, kFromDisk, kFromMemory };
const char* toString(CacheOutcome outcome);  // "built", "found on disk", "loaded already"

// A loaded library; unloaded with the last reference.
class LoadedLibrary {
 public:
  LoadedLibrary(void* handle, Entry entry, std::string path)
      : handle_(handle), entry_(entry), path_(std::move(path)) {}
  ~LoadedLibrary();
  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;
  Entry entry() const { return entry_; }
  const std::string& path() const { return path_; }

 private:
  void* handle_;
  Entry entry_;
  std::string path_;
};

struct BuildResult {
  std::shared_ptr<const LoadedLibrary> library;
  CacheOutcome outcome = CacheOutcome::kBuilt;
  double seconds = 0;
};

// Throws gb::Error, four parts each: no compiler, code that does not compile (its first lines and the
// source's path; the source stays for reading, nothing else does), a folder that cannot be written.
BuildResult build_and_load(const std::string& source, const std::string& entry);

std::string cache_folder();  // made by build_and_load

}  // namespace gb::compiler
