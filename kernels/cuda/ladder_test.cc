// The choice of a rung: by number, by name, by the environment, for a scope; and what a wrong one says.
#include "kernels/cuda/ladder.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "core/error.h"
#include "kernels/cuda/backends.h"

using namespace gb;

namespace {

struct Rung {
  const char* name;
  const char* file;
};
constexpr Rung kRungs[] = {
    {"01_naive", "a/01_naive.cu"}, {"02_tree", "a/02_tree.cu"}, {"cublas", "a/cublas.cc"}};

template <class E, class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const E& e) {
    return e.what_without_backtrace();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("a rung is chosen by number and by name; 0 is no choice") {
  cuda::RungChoice choice("op", "GB_TEST_RUNG");
  choice.attach(cuda::Ladder<Rung>(kRungs));
  CHECK(choice.number() == 0);
  choice.set(2);
  CHECK(choice.number() == 2);
  choice.set("cublas");
  CHECK(choice.number() == 3);
  choice.set("1");
  CHECK(choice.number() == 1);
  choice.set(0);
  CHECK(choice.number() == 0);
}

TEST_CASE("a rung that there is not lists the rungs and changes nothing") {
  cuda::RungChoice choice("op", "GB_TEST_RUNG");
  choice.attach(cuda::Ladder<Rung>(kRungs));
  choice.set(2);
  CHECK(message_of<ValueError>([&] { choice.set(4); }) ==
        "no such rung of op: 4\n"
        "  cause:   the rungs are 1 01_naive (a/01_naive.cu), 2 02_tree (a/02_tree.cu), 3 cublas "
        "(a/cublas.cc)\n"
        "  repair:  give a number or a name of these; 0, or GB_TEST_RUNG unset, is the best for the shape\n"
        "  chapter: docs/en/theory/04-kernels.md#kernels");
  for (const char* bad : {"", "naive", "4", "-1", "2x", "18446744073709551616"})
    CHECK_THROWS_AS(choice.set(bad), ValueError);
  CHECK(choice.number() == 2);
}

TEST_CASE("the environment is read once, at the first call") {
  setenv("GB_TEST_RUNG", "02_tree", 1);
  cuda::RungChoice choice("op", "GB_TEST_RUNG");
  choice.attach(cuda::Ladder<Rung>(kRungs));
  CHECK(choice.number() == 2);
  setenv("GB_TEST_RUNG", "01_naive", 1);
  CHECK(choice.number() == 2);

  setenv("GB_TEST_RUNG", "99_magic", 1);
  cuda::RungChoice wrong("op", "GB_TEST_RUNG");
  wrong.attach(cuda::Ladder<Rung>(kRungs));
  for (int i = 0; i < 2; ++i)
    CHECK(message_of<ValueError>([&] {
            wrong.number();
          }).starts_with("no such rung of op: GB_TEST_RUNG=99_magic\n"));
  wrong.set(1);
  CHECK(wrong.number() == 1);
  unsetenv("GB_TEST_RUNG");
}

TEST_CASE("a program without the kernels says so") {
  CHECK(backends::cuda::softmax_rung() == 0);
  backends::cuda::set_softmax_rung(0);
  const std::string message = message_of<NotImplementedError>([] { backends::cuda::set_softmax_rung(1); });
  CHECK(message.starts_with("no softmax kernels for CUDA in this program: 1\n"));
  CHECK_THROWS_AS(backends::cuda::set_linear_rung("cublas"), NotImplementedError);
  CHECK_THROWS_AS(backends::cuda::LinearRungGuard(1), NotImplementedError);
}
