// What an mbarrier does, in plain C++: the host meaning of mbarrier.h.
#include <fmt/format.h>

#include <cstring>

#include "kernels/cuda/instructions/mbarrier.h"

namespace gb::cuda {
namespace {

using simt::Site;

// The 8 bytes. Memory that nobody has written is all ones (the runner fills it so): 65535 arrivals of 65535.
struct State {
  uint16_t arrivals;         // that end a phase
  uint16_t arrivals_to_go;   // in this phase
  uint32_t parity : 1;       // of this phase
  int32_t bytes_to_go : 31;  // below 0: more have come than were announced so far
};
static_assert(sizeof(State) == 8);
constexpr uint32_t kMostArrivals = 4095;  // of ours; the processor takes more

State read(const MBarrier* barrier) {
  State state;
  memcpy(&state, &barrier->word, sizeof state);
  return state;
}

std::string text_of(const MBarrier* barrier) {
  const State s = read(barrier);
  return fmt::format("mbarrier at {}, phase of parity {}: {} of {} arrivals and {} bytes to come",
                     simt::shared_address(barrier, {}), static_cast<int>(s.parity), s.arrivals_to_go, s.arrivals,
                     static_cast<int>(s.bytes_to_go));
}

State read_initialised(const MBarrier* barrier, Site site) {
  if (simt::shared_address(barrier, site) % 8 != 0)
    simt::throw_misuse(site, "an mbarrier at an odd address",
                       fmt::format("{} is no multiple of 8", simt::shared_address(barrier, site)),
                       "align it to 8 bytes");
  const State state = read(barrier);
  if (state.arrivals == 0 || state.arrivals > kMostArrivals)
    simt::throw_misuse(site, "an mbarrier that was not initialised",
                       fmt::format("the one at {}", simt::shared_address(barrier, site)),
                       "call init() in one thread, then a barrier of the block");
  return state;
}

// Ends the phase if nothing is missing.
void write(MBarrier* barrier, State state) {
  if (state.arrivals_to_go == 0 && state.bytes_to_go == 0) {
    state.parity ^= 1;
    state.arrivals_to_go = state.arrivals;
  }
  memcpy(&barrier->word, &state, sizeof state);
}

void arrive_announcing(MBarrier* barrier, uint32_t bytes, Site site) {
  State state = read_initialised(barrier, site);
  if (state.arrivals_to_go == 0)
    simt::throw_misuse(site, "more arrivals at an mbarrier than it counts", text_of(barrier),
                       "initialise it with the number of arrivals of a phase, or wait before arriving again");
  simt::release_at(barrier);
  state.bytes_to_go += static_cast<int32_t>(bytes);
  --state.arrivals_to_go;
  write(barrier, state);
}

}  // namespace

void MBarrier::init(uint32_t arrivals, const char* file, int line) {
  if (simt::shared_address(this, {file, line}) % 8 != 0 || arrivals == 0 || arrivals > kMostArrivals)
    simt::throw_misuse({file, line}, "an mbarrier cannot be initialised so",
                       fmt::format("{} arrivals, address {}", arrivals, simt::shared_address(this, {file, line})),
                       fmt::format("1 to {} arrivals, at a multiple of 8 bytes", kMostArrivals));
  simt::note_shared_write(this, sizeof *this);
  const auto count = static_cast<uint16_t>(arrivals);
  write(this, {count, count, 0, 0});
}

void MBarrier::arrive(const char* file, int line) { arrive_announcing(this, 0, {file, line}); }
void MBarrier::arrive_expect_tx(uint32_t bytes, const char* file, int line) {
  arrive_announcing(this, bytes, {file, line});
}
void MBarrier::arrive_at(uint32_t rank, const char* file, int line) {
  const Site site{file, line};
  char* const there = simt::shared_pointer(simt::shared_address(this, site), rank, sizeof(MBarrier), site);
  arrive_announcing(reinterpret_cast<MBarrier*>(there), 0, site);
}

void MBarrier::complete_tx(uint32_t bytes, Site site) {
  State state = read_initialised(this, site);
  state.bytes_to_go -= static_cast<int32_t>(bytes);
  write(this, state);
}

bool MBarrier::try_wait(uint32_t parity, const char* file, int line) {
  if (read_initialised(this, {file, line}).parity == parity % 2) return false;
  simt::acquire_at(this);
  return true;
}

void MBarrier::wait(uint32_t parity, const char* file, int line) {
  const simt::Unwatched unwatched;
  if (!try_wait(parity, file, line))
    simt::wait_until(
        {file, line}, [=, this] { return read(this).parity != parity % 2; },
        [=, this] { return fmt::format("parity {} of {}", parity % 2, text_of(this)); });
  simt::acquire_at(this);
}

}  // namespace gb::cuda
