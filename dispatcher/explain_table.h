// The dispatch table of an operator as a value: each slot with what it holds, and which rule put that there.
//
//   const DispatchTable before = table_of(op);
//   library.impl("f", DispatchKey::CPU, &kernel);
//   fmt::print("{}", diff(before, table_of(op)).text());       // the slots that changed, with both reasons
//
// A snapshot is of one moment; the operator goes on without it. table_if answers without registering anything
// for the operator: it computes the table of a stand-in that has the same kernels and those asked for. Rules:
// dispatch_table.cc.
#pragma once

#include <string>
#include <vector>

#include "dispatcher/operator_handle.h"

namespace gb {

// What a mask takes away, which is short: the functionalities that are fallthroughs.
DispatchKeySet masked_out(DispatchKeySet mask);

// One rule of precedence, for one slot.
struct RuleTried {
  std::string rule;  // "CompositeImplicitAutograd kernel"
  bool decides = false;
  std::string why;  // why it does not decide; where it does: empty, or that it decides for an error
};

struct SlotExplanation {
  DispatchKey key = DispatchKey::Undefined;
  int slot = 0;
  impl::SlotReason reason = impl::SlotReason::kMissing;
  std::vector<RuleTried> rules;  // up to the one that decided
  std::string kernel;            // "unboxed", "boxed", "fallthrough"; "none" where a call throws
  std::string registered;        // where: "ops/mm/cpu.cc:41"
  const impl::RegisteredKernel* holds = nullptr;

  std::vector<std::string> rule_lines() const;  // "1. kernel for CPU   none is registered"
  std::string json() const;
};
SlotExplanation explain_slot(const OperatorHandle& op, DispatchKey runtime_key);

struct DispatchTable {
  OperatorName op{"", ""};
  std::vector<SlotExplanation> slots;  // all of them, in the order of the table

  std::string text(bool with_rules = false) const;  // slots without a kernel are left out
  std::string json() const;
};
DispatchTable table_of(const OperatorHandle& op);

// The slots that a call can end in, by the registration that filled them: "CPU (cpu.cc:9), those of the alias
// Autograd (autograd.cc:3)". Backend fallbacks and fallthroughs are not among them.
std::string kernels_in_slots(const OperatorHandle& op);

struct WhatIf {
  struct Kernel {
    DispatchKey key;
    bool fallthrough = false;
  };
  std::vector<Kernel> with;          // kernels to add, or to put before the present one
  std::vector<DispatchKey> without;  // keys to leave bare
};
// Throws ValueError where there is no kernel to leave out.
DispatchTable table_if(const OperatorHandle& op, const WhatIf& changes);

struct TableDiff {
  struct Slot {
    SlotExplanation before, after;
  };
  OperatorName op{"", ""};
  size_t all = 0;           // slots of the table
  std::vector<Slot> slots;  // those that hold another kernel now

  std::string text() const;
  std::string json() const;
};
TableDiff diff(const DispatchTable& before, const DispatchTable& after);

}  // namespace gb
