#include "kernels/cpu/capability.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "core/error.h"
#include "kernels/cpu/dispatch_stub.h"

using namespace gb;

namespace gb::cpu {
namespace DEFAULT {
int answer(int x) { return x + 1; }
}  // namespace DEFAULT
namespace AVX2 {
int answer(int x) { return x + 2; }
}  // namespace AVX2
namespace AVX512 {
int answer(int x) { return x + 3; }
}  // namespace AVX512
namespace {
constexpr DispatchStub<int(int)> answer_stub{{&DEFAULT::answer, &AVX2::answer, &AVX512::answer}};
}
}  // namespace gb::cpu

namespace {

// Forgets the choice, and chooses again with the variable set to `word` (nullptr: unset).
CPUCapability choose(const char* word) {
  detail::g_cpu_capability = -1;
  if (word)
    setenv("GB_CPU_CAPABILITY", word, 1);
  else
    unsetenv("GB_CPU_CAPABILITY");
  return cpu_capability();
}

struct RestoreEnvironment {
  std::string before = std::getenv("GB_CPU_CAPABILITY") ? std::getenv("GB_CPU_CAPABILITY") : "";
  ~RestoreEnvironment() {
    setenv("GB_CPU_CAPABILITY", before.c_str(), 1);
    detail::g_cpu_capability = -1;
  }
};

}  // namespace

TEST_CASE("the widest instruction set is used unless the environment names one") {
  RestoreEnvironment restore;
  CHECK((choose(nullptr) == max_cpu_capability()));
  CHECK((choose("") == max_cpu_capability()));
  CHECK((choose("default") == CPUCapability::DEFAULT));
  if (max_cpu_capability() >= CPUCapability::AVX2) CHECK((choose("avx2") == CPUCapability::AVX2));
  if (max_cpu_capability() >= CPUCapability::AVX512) CHECK((choose("avx512") == CPUCapability::AVX512));
}

TEST_CASE("a word that is no instruction set is an error, and the next call asks again") {
  RestoreEnvironment restore;
  CHECK_THROWS_WITH_AS(choose("AVX2"), doctest::Contains("unknown instruction set \"AVX2\""), ValueError);
  CHECK_THROWS_WITH_AS(cpu_capability(), doctest::Contains("use default, avx2 or avx512"), ValueError);
  CHECK((choose("default") == CPUCapability::DEFAULT));
}

TEST_CASE("more than the processor has is an error") {
  RestoreEnvironment restore;
  if (max_cpu_capability() == CPUCapability::AVX512) return;  // nothing wider to ask for
  CHECK_THROWS_WITH_AS(choose("avx512"), doctest::Contains("this processor has no AVX512"), ValueError);
  CHECK_THROWS_AS(set_cpu_capability(CPUCapability::AVX512), ValueError);
}

TEST_CASE("a stub calls the build of the chosen instruction set") {
  RestoreEnvironment restore;
  for (int c = 0; c <= static_cast<int>(max_cpu_capability()); ++c) {
    set_cpu_capability(static_cast<CPUCapability>(c));
    CHECK(cpu::answer_stub(10) == 11 + c);
  }
}

TEST_CASE("toString") {
  CHECK(std::string(toString(CPUCapability::DEFAULT)) == "DEFAULT");
  CHECK(std::string(toString(CPUCapability::AVX2)) == "AVX2");
  CHECK(std::string(toString(CPUCapability::AVX512)) == "AVX512");
}
