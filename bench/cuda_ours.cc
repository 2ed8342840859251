// Our side of //bench:cuda: times glassbox's CUDA kernels as bench/cuda.py asks, one request a line.
//
//   info SUBJECT                     -> its rungs, by name
//   time SUBJECT LAUNCHES REQUEST    -> RUNG_THAT_RAN MICROSECONDS (of one launch, mean of LAUNCHES)
//   error SUBJECT REQUEST            -> RUNG_THAT_RAN ERROR
//   bytes SUBJECT REQUEST            -> RUNG_THAT_RAN BYTES (of its outputs and scratch memory)
//
// SUBJECT: softmax, linear, lm_head, column_sums; what a request and an error are: cuda_ours_SUBJECT.cc. RUNG in it: a number from 1, or 0
// for the best. Matrices are made once, as large as the largest request, and kept.
#include "bench/cuda_ours.h"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>

namespace gb::bench {

ScalarType parse_dtype(const std::string& name) {
  constexpr std::pair<const char*, ScalarType> kNames[] = {
      {"float32", kFloat}, {"bfloat16", kBFloat16}, {"float16", kHalf}, {"float64", kDouble}};
  for (const auto& [text, dtype] : kNames)
    if (name == text) return dtype;
  GB_THROW(ValueError, .what = fmt::format("unknown dtype: {}", name), .cause = "not one of this benchmark",
           .repair = "float32, bfloat16, float16, float64", .chapter = chapters::kKernels);
}

namespace {

// Microseconds of one run, mean of `launches`.
double time(Subject& subject, int launches) {
  static cudaEvent_t start = nullptr, end = nullptr;
  if (!start) {
    GB_CUDA_CHECK(cudaEventCreate(&start));
    GB_CUDA_CHECK(cudaEventCreate(&end));
  }
  GB_CUDA_CHECK(cudaEventRecord(start, nullptr));
  for (int i = 0; i < launches; ++i) subject.run();
  GB_CUDA_CHECK(cudaEventRecord(end, nullptr));
  GB_CUDA_CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  GB_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, end));
  return milliseconds * 1e3 / launches;
}

std::string answer(std::istream& line) {
  static std::map<std::string, std::unique_ptr<Subject>> subjects;
  if (subjects.empty()) {
    subjects["softmax"] = softmax_subject();
    subjects["lm_head"] = lm_head_subject();
    subjects["column_sums"] = column_sums_subject();
    subjects["linear"] = linear_subject();
  }
  std::string verb, name;
  line >> verb >> name;
  const auto found = subjects.find(name);
  GB_CHECK_OR_THROW(found != subjects.end(), ValueError, .what = fmt::format("unknown subject: {}", name),
                    .cause = "not one of this benchmark", .repair = "see the top of bench/cuda_ours.cc",
                    .chapter = chapters::kKernels);
  Subject& subject = *found->second;
  const std::vector<std::string> rungs = subject.rungs();
  if (verb == "info") return fmt::format("{}", fmt::join(rungs, " "));
  int launches = 1;
  if (verb == "time") line >> launches;
  subject.parse(line);
  const size_t rung = subject.run();  // also makes the matrices
  if (verb == "bytes") return fmt::format("{} {}", rungs[rung - 1], subject.bytes());
  return fmt::format("{} {}", rungs[rung - 1], verb == "error" ? subject.error() : time(subject, launches));
}

}  // namespace
}  // namespace gb::bench

int main() {
  std::string text;
  while (std::getline(std::cin, text)) {
    std::istringstream line(text);
    try {
      fmt::print("{}\n", gb::bench::answer(line));
    } catch (const gb::Error& e) {
      std::string message = e.what_without_backtrace();
      std::replace(message.begin(), message.end(), '\n', ';');
      fmt::print("failed: {}\n", message);
    }
    std::fflush(stdout);
  }
}
