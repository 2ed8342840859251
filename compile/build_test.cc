#include "compile/build.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.h"

namespace gb::compiler {
namespace {

namespace fs = std::filesystem;

// Sets an environment variable for a scope.
struct WithEnvironment {
  WithEnvironment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~WithEnvironment() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }
  const char* name_;
  std::string before_;
};

std::string scratch(const std::string& name) {
  const char* tmp = std::getenv("TEST_TMPDIR");
  const fs::path path = fs::path(tmp ? tmp : fs::temp_directory_path().c_str()) / name;
  fs::remove_all(path);
  return path.string();
}

// Generated code that writes one number.
std::string writes(const std::string& number) {
  return "struct Host;\nextern \"C\" void entry(const Host*, const void* const*, void* const* buffers) {\n"
         "  *static_cast<double*>(buffers[0]) = " +
         number + ";\n}\n";
}

double run(const BuildResult& built) {
  double value = 0;
  void* buffers[] = {&value};
  built.library->entry()(nullptr, nullptr, buffers);
  return value;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  if (!fs::exists(folder)) return names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().extension().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string message_of(const std::string& source) {
  try {
    build_and_load(source, "entry");
  } catch (const Error& e) {
    return e.msg();
  }
  return "no error";
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("built once, then loaded already, then found on disk") {
  const std::string folder = scratch("cache");
  const WithEnvironment cache("GB_CACHE_DIR", folder);
  {
    const BuildResult first = build_and_load(writes("42"), "entry");
    CHECK((first.outcome == CacheOutcome::kBuilt));
    CHECK(run(first) == 42);
    CHECK((build_and_load(writes("42"), "entry").outcome == CacheOutcome::kFromMemory));
  }
  const BuildResult again = build_and_load(writes("42"), "entry");  // the last reference had gone
  CHECK((again.outcome == CacheOutcome::kFromDisk));
  CHECK(run(again) == 42);
  CHECK(names_in(folder) == std::vector<std::string>{".cpp", ".so"});  // and no temporary file

  const BuildResult other = build_and_load(writes("43"), "entry");
  CHECK((other.outcome == CacheOutcome::kBuilt));
  CHECK(run(other) == 43);
}

TEST_CASE("a damaged library in the cache is built again") {
  const WithEnvironment cache("GB_CACHE_DIR", scratch("damaged"));
  const std::string path = build_and_load(writes("7"), "entry").library->path();
  fs::remove(path);  // not overwritten in place: it may still be mapped
  std::ofstream(path) << "not a library";
  const BuildResult again = build_and_load(writes("7"), "entry");
  CHECK((again.outcome == CacheOutcome::kBuilt));
  CHECK(run(again) == 7);
}

TEST_CASE("no compiler") {
  const std::string folder = scratch("no-compiler");
  const WithEnvironment cache("GB_CACHE_DIR", folder);
  const WithEnvironment compiler("GB_CXX", "no-such-compiler");
  const std::string message = message_of(writes("1"));
  CHECK(has(message, "gb::compile: no C++ compiler"));
  CHECK(has(message, "\"no-such-compiler\" could not be run: No such file or directory"));
  CHECK(has(message, "GB_CXX"));
  CHECK(names_in(folder).empty());
}

TEST_CASE("generated code that does not compile") {
  const std::string folder = scratch("bad-code");
  const WithEnvironment cache("GB_CACHE_DIR", folder);
  const std::string message = message_of(writes("undeclared_name"));
  CHECK(has(message, "gb::compile: the generated code does not compile"));
  CHECK(has(message, "undeclared_name"));       // the compiler's own words
  CHECK(has(message, "read " + folder + "/"));  // the source's path
  CHECK(names_in(folder) ==
        std::vector<std::string>{".cpp"});  // kept for reading; no library, no temporary file
}

TEST_CASE("a cache folder that cannot be written") {
  const std::string file = scratch("a-file");
  std::ofstream(file) << "x";
  const WithEnvironment cache("GB_CACHE_DIR",
                              file + "/cache");  // (a test may run as root: no permission would stop it)
  const std::string message = message_of(writes("1"));
  CHECK(has(message, "gb::compile: the cache folder cannot be written"));
  CHECK(has(message, file + "/cache: Not a directory"));
  CHECK(has(message, "GB_CACHE_DIR"));
}

}  // namespace gb::compiler
