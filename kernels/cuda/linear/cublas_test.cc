// Finding cuBLAS: what can be checked without a GPU.
#include "kernels/cuda/linear/cublas.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "core/error.h"

using namespace gb::cuda;

TEST_CASE("no cuBLAS where GB_CUBLAS says: the message tells how to set it, and nothing was written") {
  setenv("GB_CUBLAS", "/nowhere/libcublas.so.13", 1);
  float a = 2, b = 3, d = 7;
  GemmArgs args;
  args.m = args.n = args.k = 1;
  args.a = {&a, 1, 1};
  args.b = {&b, 1, 1};
  args.d = {&d, 1, 1};
  std::string message;
  try {
    cublas::gemm(args, nullptr);
  } catch (const gb::NotImplementedError& e) {
    message = e.what_without_backtrace();
  }
  unsetenv("GB_CUBLAS");
  INFO(message);
  CHECK(message.find("cuBLAS is not there\n  cause:   could not load any of: /nowhere/libcublas.so.13 (") ==
        0);
  CHECK(message.find("set GB_CUBLAS to the path of a libcublas.so.") != std::string::npos);
  CHECK(message.find("GB_LINEAR_RUNG") != std::string::npos);
  CHECK(d == 7);
}

TEST_CASE("the ladder with the toolkit: cublas is last and does not run on the host") {
  const auto rungs = linear_rungs();
  CHECK(std::string(rungs.front().name) == "01_naive");
  CHECK(std::string(rungs.back().name) == "cublas");
  CHECK_FALSE(rungs.back().host_runner);
}
