// Anomaly mode: for finding the forward call behind a backward that fails, or makes NaN.
//
//   const autograd::DetectAnomalyGuard guard;
//   y.backward();   // warns with the call stack of the forward call of the node that threw, then throws
//
// While it is on, every node that is made keeps the call stack, and, where it is made inside a backward pass, the node
// that ran: so a failing second derivative names the first. Every gradient is searched for NaN. One switch for all
// threads. Names follow torch/csrc/autograd/anomaly_mode.h.
#pragma once

#include <atomic>
#include <memory>
#include <string>

namespace gb::autograd {

struct Node;

// The base of what is thrown to end a computation that has done what it was for (a checkpoint's second run), and not
// because something is wrong: a backward that it passes through says nothing.
struct EarlyStop {};

struct AnomalyMode {
  static bool is_enabled() { return enabled_.load(std::memory_order_relaxed); }
  static bool should_check_nan() { return check_nan_.load(std::memory_order_relaxed); }
  static void set_enabled(bool enabled, bool check_nan = true) {
    enabled_.store(enabled, std::memory_order_relaxed);
    check_nan_.store(check_nan, std::memory_order_relaxed);
  }

 private:
  static inline std::atomic<bool> enabled_{false}, check_nan_{true};
};

class DetectAnomalyGuard {
 public:
  explicit DetectAnomalyGuard(bool check_nan = true);  // warns once that this is slow
  ~DetectAnomalyGuard() { AnomalyMode::set_enabled(before_, check_nan_before_); }
  DetectAnomalyGuard(const DetectAnomalyGuard&) = delete;
  DetectAnomalyGuard& operator=(const DetectAnomalyGuard&) = delete;

 private:
  const bool before_, check_nan_before_;
};

// What a node remembers of its making.
struct AnomalyMetadata {
  void store_stack();
  // Warns with the stack, and those of the nodes in whose backward this one was made.
  void print_stack(const std::string& current_node_name) const;
  void assign_parent(std::shared_ptr<Node> parent_node) { parent_ = std::move(parent_node); }
  const std::shared_ptr<Node>& parent() const { return parent_; }

 private:
  std::string traceback() const;

  std::string stack_;
  std::shared_ptr<Node> parent_;
};

}  // namespace gb::autograd
