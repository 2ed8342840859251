#include "autograd/anomaly_mode.h"

#include <cxxabi.h>
#include <execinfo.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "autograd/node.h"
#include "core/warning.h"

namespace gb::autograd {
namespace {

constexpr size_t kFramesLooked = 128, kFramesShown = 20;

// "file(mangled+0x12) [0x...]", as backtrace_symbols has it, to the function's name, or to the file where it has none.
std::string frame_name(const std::string& symbol) {
  const size_t open = symbol.find('('), plus = symbol.find('+', open);
  if (open == std::string::npos || plus == std::string::npos || plus == open + 1) return symbol.substr(0, open);
  const std::string mangled = symbol.substr(open + 1, plus - open - 1);
  int status = 0;
  char* demangled = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 ? demangled : mangled;
  std::free(demangled);
  return name;
}

}  // namespace

DetectAnomalyGuard::DetectAnomalyGuard(bool check_nan)
    : before_(AnomalyMode::is_enabled()), check_nan_before_(AnomalyMode::should_check_nan()) {
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true)) {
    GB_WARN(
        "Anomaly Detection has been enabled. This mode should be enabled only for debugging, as the different tests "
        "will slow down your program execution.");
  }
  AnomalyMode::set_enabled(true, check_nan);
}

void AnomalyMetadata::store_stack() {
  std::array<void*, kFramesLooked> frames;
  const int found = backtrace(frames.data(), static_cast<int>(frames.size()));
  char** symbols = backtrace_symbols(frames.data(), found);
  stack_.clear();
  size_t shown = 0, folded = 0;
  for (int i = 1; symbols && i < found && shown < kFramesShown; ++i) {
    const std::string name = frame_name(symbols[i]);
    if (name.find("gb::") != std::string::npos && name.find("gb::Tensor::") == std::string::npos &&
        name.find("gb::Function") == std::string::npos) {
      ++folded;
      continue;
    }
    if (folded > 0) stack_ += fmt::format("  ({} frames of glassbox)\n", std::exchange(folded, 0));
    stack_ += "  " + name + "\n";
    ++shown;
  }
  std::free(symbols);
}

std::string AnomalyMetadata::traceback() const {
  return stack_.empty() ? "  none: anomaly mode was off during the forward call. Enable it before, to see the call.\n"
                        : stack_;
}

void AnomalyMetadata::print_stack(const std::string& current_node_name) const {
  GB_WARN(fmt::format("Error detected in {}. Traceback of forward call that caused the error:\n{}", current_node_name,
                      traceback()));
  for (std::shared_ptr<Node> node = parent_; node; node = node->metadata()->parent()) {
    GB_WARN(
        fmt::format("Previous calculation was induced by {}. Traceback of forward call that induced the previous "
                    "calculation:\n{}",
                    node->name(), node->metadata()->traceback()));
  }
}

}  // namespace gb::autograd
