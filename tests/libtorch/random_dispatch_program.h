// A registration program as data: what one seed plays on glassbox's dispatcher and on LibTorch's. No type of
// either library appears here; keys are names. A step that registers has a number, its kernel returns that
// number, and a deregistration names it, so a shrunk program keeps its meaning when steps are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gb::tests::dispatch {

using KeyNames = std::vector<std::string>;

// The operators of a program, in a namespace of its own.
inline constexpr const char* kOperators[] = {"alpha", "alpha.more", "beta"};
inline constexpr int kNumOperators = 3;

// What the operators and kernels may look like. An operator returns the number of the kernel that ran.
inline constexpr const char* kSignatures[] = {
    "(Tensor self) -> int",
    "(Tensor self, Tensor other) -> int",
    "(Tensor[] tensors, int n) -> int",
    "(Tensor? weight, int n) -> int",
    "(int n) -> int",
    "(Tensor?[] indices, Tensor self) -> int",
};
inline constexpr int kNumSignatures = 6;

struct Kernel {
  enum Form : uint8_t { kUnboxed, kUnboxedWithKeys, kBoxed, kFallthrough, kNotSupported };
  enum Then : uint8_t {
    kReturn,
    kRedispatch,  // to what is below the highest key it received
    kCallAgain,   // calls the operator anew, with that key excluded
  };
  Form form = kUnboxed;
  Then then = kReturn;
  int signature = 0;
};

struct Step {
  enum Kind : uint8_t {
    kLibrary,  // the one DEF block of the namespace
    kDef,
    kDefWithKernel,
    kDefByName,  // the schema is inferred from the kernel
    kImpl,
    kFallback,
    kDeregister,
    // Refused by both, each for its own reason.
    kDefInImplBlock,
    kDefOfOtherNamespace,
    kImplOfOtherNamespace,
    kImplOfOtherKey,
    kFallbackInNamespace,
    kDefOfWildcard,
    kDefBoxedByName,
    kDefBadSchema,
  };
  Kind kind = kDef;
  int number = 0;
  int op = 0;
  int signature = 0;           // of the schema
  std::string key;             // of an impl or a fallback; empty: none named
  bool key_in_kernel = false;  // impl("op", dispatch(key, f)) and not IMPL(ns, key)
  Kernel kernel;
  int target = 0;  // whose registration ends
};

struct Call {
  enum How : uint8_t { kTyped, kBoxed, kTypedRedispatch, kBoxedRedispatch, kForKey };
  How how = kTyped;
  int op = 0;
  std::vector<std::optional<KeyNames>> tensors;   // nothing: an undefined tensor
  KeyNames redispatch;                            // the set given to redispatch
  std::string key;                                // of callBoxedForDispatchKey
  bool default_include = true, autocast = false;  // autocast: its keys are not excluded
  KeyNames include, exclude;
};

using Action = std::variant<Step, Call>;

struct Program {
  uint64_t seed = 0;
  std::vector<Action> actions;
};

std::string to_text(const Kernel& kernel);
std::string to_text(const Step& step);
std::string to_text(const Call& call);
std::string to_text(const Program& program);

// The keys that both libraries have, in groups.
struct Vocabulary {
  explicit Vocabulary(const KeyNames& common);
  KeyNames backends;  // CPU, CUDA, ...: those with an Autograd key
  KeyNames slots;     // every runtime key
  KeyNames aliases;
  KeyNames single;           // functionalities with one slot: BackendSelect, Tracer, ...
  KeyNames without_backend;  // Dense, AutogradFunctionality, ...: keys that no kernel may be registered for
  bool has(const std::string& key) const;

 private:
  KeyNames all_;
};

struct Size {
  int steps = 14;
  int calls_per_change = 3, calls_at_end = 30;
  bool every_key_set =
      false;  // at the end also a call with each set of keys that one tensor of one backend may carry
};
Program random_program(uint64_t seed, const Vocabulary& keys, const Size& size);

}  // namespace gb::tests::dispatch
