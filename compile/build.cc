#include "compile/build.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include "compile/logs.h"
#include "compile/process.h"
#include "core/error.h"

namespace gb::compiler {
namespace {

namespace fs = std::filesystem;

// No -ffast-math: the generated code keeps the order of operations that the lowering chose, and NaN stays
// NaN.
const std::vector<std::string> kFlags = {"-std=c++17", "-O3", "-march=native", "-shared", "-fPIC"};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string compiler() {
  const std::string chosen = environment("GB_CXX");
  return chosen.empty() ? "c++" : chosen;
}

[[noreturn]] void throw_no_compiler(const std::string& name, const std::string& why) {
  GB_THROW(Error, .what = "gb::compile: no C++ compiler",
           .cause = fmt::format("\"{}\" could not be run: {}", name, why),
           .repair = "install one (apt-get install g++), or name one in GB_CXX",
           .chapter = chapters::kCompile);
}

// The first line of `c++ --version`; asked once per compiler.
std::string compiler_version(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const std::lock_guard lock(mutex);
  if (const auto it = known.find(name); it != known.end()) return it->second;
  std::string why;
  const auto result = run_process({name, "--version"}, &why);
  if (!result) throw_no_compiler(name, why);
  if (result->exit_code != 0)
    throw_no_compiler(name, fmt::format("--version ends with status {}", result->exit_code));
  return known[name] = result->output.substr(0, result->output.find('\n'));
}

// What -march=native looks at.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string model, flags;
  for (std::string line; std::getline(file, line) && (model.empty() || flags.empty());) {
    if (line.rfind("model name", 0) == 0) model = line;
    if (line.rfind("flags", 0) == 0 || line.rfind("Features", 0) == 0) flags = line;
  }
  return model + flags;
}

// FNV-1a, twice from different starts: 128 bits. Not cryptographic: the source is compared as well.
std::string content_hash(const std::string& text) {
  uint64_t a = 0xcbf29ce484222325u, b = 0x84222325cbf29ce4u;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    b = (b ^ static_cast<unsigned char>(c)) * 0x100000001b3u + 1;
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

fs::path temporary_beside(const fs::path& path) {
  static std::atomic<int> counter = 0;
  return path.string() + fmt::format(".{}.{}.tmp", getpid(), counter++);
}

[[noreturn]] void throw_cannot_write(const fs::path& path, const std::string& why) {
  GB_THROW(Error, .what = "gb::compile: the cache folder cannot be written",
           .cause = fmt::format("{}: {}", path.string(), why),
           .repair = "make the folder writable, or name another one in GB_CACHE_DIR",
           .chapter = chapters::kCompile);
}

void write_file(const fs::path& path, const std::string& text) {
  const fs::path temporary = temporary_beside(path);
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) fs::rename(temporary, path, error);
  if (!file || error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw_cannot_write(path, error ? error.message() : "writing failed");
  }
}

std::string first_lines(const std::string& text, int count) {
  size_t end = 0;
  for (int i = 0; i < count && end != std::string::npos; ++i) end = text.find('\n', end + (i > 0));
  return end == std::string::npos ? text : text.substr(0, end);
}

void compile_file(const fs::path& source, const fs::path& library) {
  const fs::path temporary = temporary_beside(library);
  std::vector<std::string> command{compiler()};
  command.insert(command.end(), kFlags.begin(), kFlags.end());
  command.insert(command.end(), {"-o", temporary.string(), source.string()});
  std::string why;
  const auto result = run_process(command, &why);
  if (!result) throw_no_compiler(command[0], why);
  std::error_code error;
  if (result->exit_code != 0) {
    fs::remove(temporary, error);
    GB_THROW(Error, .what = "gb::compile: the generated code does not compile",
             .cause = fmt::format("{} ended with status {}:\n{}", command[0], result->exit_code,
                                  first_lines(result->output, 12)),
             .repair = fmt::format(
                 "read {}: a lowering produced wrong code, or the compiler in GB_CXX is too old for {}",
                 source.string(), kFlags[0]),
             .chapter = chapters::kCompile);
  }
  fs::rename(temporary, library, error);
  if (error) throw_cannot_write(library, error.message());
}

// Null, with the reason, where the file is no library with that entry.
std::shared_ptr<const LoadedLibrary> load(const fs::path& path, const std::string& entry, std::string* why) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* symbol = handle ? dlsym(handle, entry.c_str()) : nullptr;
  if (!symbol) {
    const char* message = dlerror();
    *why = message ? message : "no entry";
    if (handle) dlclose(handle);
    return nullptr;
  }
  return std::make_shared<const LoadedLibrary>(handle, reinterpret_cast<Entry>(symbol), path.string());
}

struct Loaded {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<const LoadedLibrary>> libraries;  // by path
};
Loaded& loaded() {
  static Loaded* l = new Loaded;
  return *l;
}

BuildResult find_or_build(const std::string& source, const std::string& entry) {
  const std::string name = compiler();
  const std::string key = fmt::format("{}\n{}\n{}\n{}\n{}", source, name, compiler_version(name),
                                      fmt::join(kFlags, " "), processor());
  const fs::path folder = cache_folder();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw_cannot_write(folder, error.message());
  const fs::path stem = folder / content_hash(key);
  const fs::path source_path = stem.string() + ".cpp", library_path = stem.string() + ".so";

  if (auto known = loaded().libraries[library_path.string()].lock())
    return {known, CacheOutcome::kFromMemory, 0};
  std::string why;
  if (fs::exists(library_path, error) && read_file(source_path) == source) {
    if (auto library = load(library_path, entry, &why)) {
      loaded().libraries[library_path.string()] = library;
      return {library, CacheOutcome::kFromDisk, 0};
    }
    log(CompileLog::cache,
        fmt::format("{} could not be loaded ({}): building it again", library_path.string(), why));
  }
  write_file(source_path, source);
  compile_file(source_path, library_path);
  auto library = load(library_path, entry, &why);
  GB_CHECK_OR_THROW(
      library, Error, .what = "gb::compile: the library that was built cannot be loaded", .cause = why,
      .repair = fmt::format("check that {} allows programs to be run (mount option noexec)", folder.string()),
      .chapter = chapters::kCompile);
  loaded().libraries[library_path.string()] = library;
  return {library, CacheOutcome::kBuilt, 0};
}

}  // namespace

const char* toString(CacheOutcome outcome) {
  switch (outcome) {
    case CacheOutcome::kBuilt:
      return "built";
    case CacheOutcome::kFromDisk:
      return "found on disk";
    case CacheOutcome::kFromMemory:
      return "loaded already";
  }
  return "?";
}

LoadedLibrary::~LoadedLibrary() { dlclose(handle_); }

std::string cache_folder() {
  if (const std::string folder = environment("GB_CACHE_DIR"); !folder.empty()) return folder;
  if (const std::string folder = environment("TEST_TMPDIR"); !folder.empty())
    return folder + "/glassbox-cache";
  if (const std::string folder = environment("XDG_CACHE_HOME"); !folder.empty()) return folder + "/glassbox";
  const std::string home = environment("HOME");
  GB_CHECK_OR_THROW(!home.empty(), Error, .what = "gb::compile: there is no cache folder",
                    .cause = "none of GB_CACHE_DIR, XDG_CACHE_HOME and HOME is set",
                    .repair = "set GB_CACHE_DIR to a folder that can be written",
                    .chapter = chapters::kCompile);
  return home + "/.cache/glassbox";
}

BuildResult build_and_load(const std::string& source, const std::string& entry) {
  const auto start = std::chrono::steady_clock::now();
  const std::lock_guard lock(
      loaded().mutex);  // of this process; other processes are kept apart by the renames
  BuildResult result = find_or_build(source, entry);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  log(CompileLog::cache, fmt::format("{}: {} ({:.0f} ms)", result.library->path(), toString(result.outcome),
                                     result.seconds * 1e3));
  return result;
}

}  // namespace gb::compiler
