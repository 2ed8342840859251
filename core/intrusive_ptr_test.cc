#include "core/intrusive_ptr.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

using namespace gb;

namespace {

struct Counts {
  int released = 0, deleted = 0;
};
struct Thing : intrusive_ptr_target {
  explicit Thing(Counts* c) : counts(c) {}
  ~Thing() override { ++counts->deleted; }
  void release_resources() override { ++counts->released; }
  Counts* counts;
};
using Weak = weak_intrusive_ptr<Thing>;

}  // namespace

TEST_CASE("intrusive_ptr: without weak pointers the last owner deletes, and releases nothing first") {
  Counts counts;
  auto a = make_intrusive<Thing>(&counts);
  CHECK(a.use_count() == 1);
  CHECK(a.weak_use_count() == 1);  // all owners together
  {
    const intrusive_ptr<Thing> b = a;
    CHECK(a.use_count() == 2);
    CHECK(a.weak_use_count() == 1);
  }
  a.reset();
  CHECK(counts.deleted == 1);
  CHECK(counts.released == 0);
}

TEST_CASE("weak_intrusive_ptr: locks while there is an owner, keeps only the memory") {
  Counts counts;
  auto owner = make_intrusive<Thing>(&counts);
  Weak weak(owner);
  const Weak copy = weak;
  CHECK(owner.weak_use_count() == 3);
  CHECK(weak == copy);
  CHECK_FALSE(weak.expired());
  CHECK(weak.lock() == owner);
  CHECK(owner.use_count() == 1);
  owner = nullptr;
  CHECK(counts.released == 1);
  CHECK(counts.deleted == 0);
  CHECK(weak.expired());
  CHECK_FALSE(weak.lock());
  const Weak moved = std::move(weak);
  CHECK(moved.weak_use_count() == 2);
  Weak other;
  CHECK(other.expired());
  other = moved;
  CHECK(counts.deleted == 0);
}

TEST_CASE("weak_intrusive_ptr: the last of them deletes; an owner that came back from one counts") {
  Counts counts;
  {
    auto owner = make_intrusive<Thing>(&counts);
    const Weak weak(owner);
    const auto second = weak.lock();
    owner.reset();
    CHECK(counts.released == 0);
    CHECK(weak.use_count() == 1);
  }
  CHECK(counts.deleted == 1);
  CHECK(Weak(intrusive_ptr<Thing>()).lock() == intrusive_ptr<Thing>());
}

TEST_CASE("weak_intrusive_ptr: locking while another thread lets the last owner go") {
  Counts counts;
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    auto owner = make_intrusive<Thing>(&counts);
    Weak weak(owner);
    std::thread other([weak = std::move(weak)] {
      if (const auto locked = weak.lock()) CHECK(locked.use_count() >= 1);
    });
    owner.reset();
    other.join();
  }
  CHECK(counts.deleted == kRounds);
}
