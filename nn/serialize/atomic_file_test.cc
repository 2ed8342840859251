// A save that is interrupted leaves the old file whole: at 20 places in the middle of writing, and at 20 moments.
#include "nn/serialize/atomic_file.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/error.h"
#include "ops/testing/testing.h"

using gb::nn::write_file_atomically;

namespace {

constexpr size_t kBytes = 1 << 20;
const std::string kOld(kBytes / 2, 'o'), kNew(kBytes, 'n');

std::string folder() { return std::string(std::getenv("TEST_TMPDIR")) + "/atomic"; }
std::string path() { return folder() + "/file"; }
std::string content() {
  std::ifstream file(path(), std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}
void write_old() {
  std::filesystem::remove_all(folder());
  std::filesystem::create_directory(folder());
  std::ofstream(path(), std::ios::binary) << kOld;
}
size_t files() { return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder()), {})); }

void write_new() {
  write_file_atomically(path(), {std::string_view(kNew).substr(0, 1000), std::string_view(kNew).substr(1000)});
}

// What the child did: 0, or the signal that ended it.
template <class F>
int in_child(F f, useconds_t kill_after = 0) {
  const pid_t child = ::fork();
  if (child == 0) {
    f();
    ::_exit(0);
  }
  if (kill_after > 0) {
    ::usleep(kill_after);
    ::kill(child, SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

void limit_file_size(rlim_t bytes) {
  const rlimit none{0, 0}, limit{bytes, bytes};
  ::setrlimit(RLIMIT_CORE, &none);
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace

TEST_CASE("a process that dies after n bytes leaves the old file whole") {
  for (rlim_t n = 0; n < 20; ++n) {
    write_old();
    // The kernel ends the child with SIGXFSZ at the first byte beyond the limit.
    CHECK(in_child([&] {
            ::signal(SIGXFSZ, SIG_DFL);
            limit_file_size(n * kBytes / 20);
            write_new();
          }) == SIGXFSZ);
    CHECK(content() == kOld);
  }
}

TEST_CASE("a process that is killed at any moment leaves one of the two files whole") {
  for (useconds_t i = 1; i <= 20; ++i) {
    write_old();
    CHECK(in_child([] {
            for (;;) {
              write_new();
              write_file_atomically(path(), {kOld});
            }
          }, i * 700) == SIGKILL);
    const std::string now = content();
    CHECK((now == kOld || now == kNew));
  }
}

TEST_CASE("a write that fails is an error, and leaves nothing behind") {
  write_old();
  CHECK(in_child([] {
          ::signal(SIGXFSZ, SIG_IGN);  // the write returns EFBIG instead
          limit_file_size(kBytes / 3);
          const std::string message = gb::tests::message_of([] { write_new(); });
          ::_exit(gb::tests::contains(message, "File too large") && files() == 1 ? 42 : 1);
        }) == 42);
  CHECK(content() == kOld);
  CHECK(files() == 1);
}

TEST_CASE("the new file takes the place of the old one, and others may read it") {
  write_old();
  const mode_t mask = ::umask(0022);
  write_new();
  ::umask(mask);
  CHECK(content() == kNew);
  CHECK(files() == 1);
  CHECK((std::filesystem::status(path()).permissions() == std::filesystem::perms(0644)));
}
