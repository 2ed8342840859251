#include "nn/serialize/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/error.h"

namespace gb::nn {
namespace {

[[noreturn]] void fail(const char* step, const std::string& path, int reason) {
  GB_THROW(Error, .what = fmt::format("save: could not {} {}: {}", step, path, std::strerror(reason)),
           .cause = "the system refused", .repair = "look at the folder, its rights and the free space; nothing was replaced",
           .chapter = chapters::kGrammar);
}

// An open file, closed at the end.
struct File {
  int fd;
  ~File() { ::close(fd); }
};

// Removes the file at the end, unless it was renamed away.
struct Beside {
  std::string path;
  bool renamed = false;
  ~Beside() {
    if (!renamed) ::unlink(path.c_str());
  }
};

void write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", path, errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

void write_file_atomically(const std::string& path, const std::vector<std::string_view>& parts) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  std::string name = path + ".XXXXXX";
  const File file{::mkostemp(name.data(), O_CLOEXEC)};
  if (file.fd < 0) fail("make a file beside", path, errno);
  Beside beside{name};
  for (std::string_view part : parts) write_all(file.fd, part, name);
  const mode_t mask = ::umask(0);  // mkostemp makes a file that nobody else may read
  ::umask(mask);
  if (::fchmod(file.fd, 0666 & ~mask) != 0) fail("set the rights of", name, errno);
  if (::fsync(file.fd) != 0) fail("force to the disk", name, errno);
  if (::rename(name.c_str(), path.c_str()) != 0) fail("rename to", path, errno);
  beside.renamed = true;
  const File directory{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (directory.fd < 0 || ::fsync(directory.fd) != 0) fail("force to the disk", folder, errno);
}

}  // namespace gb::nn
