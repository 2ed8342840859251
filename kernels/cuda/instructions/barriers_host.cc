// What the barriers of some warps and of a cluster do: the host meaning of named_barrier.h and cluster.h.
#include <fmt/format.h>

#include <map>

#include "kernels/cuda/instructions/cluster.h"
#include "kernels/cuda/instructions/named_barrier.h"

namespace gb::cuda {
namespace {

using simt::Site;

struct Meeting {
  unsigned arrived = 0, passed = 0;  // threads in this round; rounds ended
};
struct Meetings {
  std::map<int, Meeting> by_number;
};
simt::PerThread<Meetings> g_of_block;   // in the place of the block's first thread
simt::PerThread<Meeting> g_of_cluster;  // in the place of the first thread of all

void meet(Meeting& meeting, unsigned threads, const std::string& name, Site site) {
  const unsigned round = meeting.passed;
  simt::release_at(&meeting);
  if (++meeting.arrived == threads) {
    meeting.arrived = 0;
    ++meeting.passed;
  }
  simt::wait_until(
      site, [&meeting, round] { return meeting.passed != round; },
      [&meeting, threads, name] {
        return fmt::format("{}, where {} of {} threads are", name, meeting.arrived, threads);
      });
  simt::acquire_at(&meeting);
}

}  // namespace

void named_barrier(int number, int threads, const char* file, int line) {
  const simt::Unwatched unwatched;
  if (number < 1 || number > 15 || threads < 32 || threads % 32 != 0)
    simt::throw_misuse({file, line}, "a barrier that does not exist",
                       fmt::format("number {} for {} threads", number, threads),
                       "numbers are 1 to 15, threads whole warps");
  Meetings& block = g_of_block.of(simt::running_number() - simt::thread_in_block());
  meet(block.by_number[number], static_cast<unsigned>(threads), fmt::format("barrier {}", number), {file, line});
}

void cluster_sync(const char* file, int line) {
  const simt::Unwatched unwatched;
  meet(g_of_cluster.of(0), simt::cluster_blocks() * blockDim.x * blockDim.y * blockDim.z, "the cluster's barrier",
       {file, line});
}

}  // namespace gb::cuda
