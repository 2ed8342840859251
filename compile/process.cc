#include "compile/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace gb::compiler {

std::optional<ProcessResult> run_process(const std::vector<std::string>& arguments, std::string* why) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    *why = std::strerror(errno);
    return std::nullopt;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);

  std::vector<char*> argv;
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    *why = std::strerror(error);
    return std::nullopt;
  }

  ProcessResult result;
  char block[4096];
  for (ssize_t n = 0; (n = read(ends[0], block, sizeof block)) != 0;) {
    if (n > 0) result.output.append(block, static_cast<size_t>(n));
    if (n < 0 && errno != EINTR) break;
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace gb::compiler
