#include "tests/libtorch/random_dispatch_program.h"

#include <algorithm>

#include "tests/dice.h"

namespace gb::tests::dispatch {
namespace {

bool contains(const KeyNames& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

class Generator {
 public:
  Generator(uint64_t seed, const Vocabulary& keys, const Size& size) : dice_(seed), keys_(keys), size_(size) {
    program_.seed = seed;
  }

  Program run() {
    // Most operators exist from the start, so that most calls reach a kernel.
    for (int op = 0; op < kNumOperators; ++op) {
      signature_[op] = dice_.below(kNumSignatures);
      if (dice_.percent(70)) add(def(Step::kDef, op));
    }
    for (int i = 0; i < size_.steps; ++i) {
      const Step step = random_step();
      add(step);
      for (int c = 0; c < size_.calls_per_change; ++c) program_.actions.push_back(random_call(step.op));
    }
    for (int c = 0; c < size_.calls_at_end; ++c)
      program_.actions.push_back(random_call(dice_.below(kNumOperators)));
    for (int op = 0; size_.every_key_set && op < kNumOperators; ++op) add_every_key_set(op);
    return std::move(program_);
  }

 private:
  void add_every_key_set(int op) {
    KeyNames backends = keys_.backends;
    backends.push_back("");
    for (const std::string& backend : backends) {
      KeyNames keys;
      for (const std::string& key : keys_.single)
        if (key != "Tracer" && key != "Functionalize" && key != "Python") keys.push_back(key);
      for (const char* functionality : {"", "Quantized", "Sparse", "Autograd", "Autocast"})
        if (!backend.empty() && keys_.has(functionality + backend)) keys.push_back(functionality + backend);
      for (uint32_t subset = 0; subset < uint32_t{1} << keys.size(); ++subset) {
        Call call;
        call.op = op;
        call.how = dice_.percent(50) ? Call::kTyped : Call::kBoxed;
        call.autocast = true;
        call.tensors.emplace_back(KeyNames());
        for (size_t i = 0; i < keys.size(); ++i)
          if (subset >> i & 1) call.tensors[0]->push_back(keys[i]);
        program_.actions.push_back(std::move(call));
      }
    }
  }

  void add(Step step) {
    if (step.kind == Step::kDeregister)
      std::erase(alive_, step.target);
    else
      alive_.push_back(step.number);
    program_.actions.push_back(std::move(step));
  }

  Step step(Step::Kind kind, int op) {
    Step s;
    s.kind = kind;
    s.number = ++last_number_;
    s.op = op;
    s.signature = signature_[op];
    return s;
  }
  Step def(Step::Kind kind, int op) {
    Step s = step(kind, op);
    if (dice_.percent(8)) s.signature = dice_.below(kNumSignatures);
    s.kernel = random_kernel(s.signature);
    if (kind == Step::kDefByName)
      s.kernel.form = dice_.percent(50) ? Kernel::kUnboxed : Kernel::kUnboxedWithKeys;
    return s;
  }

  Kernel random_kernel(int signature) {
    Kernel k;
    const int form = dice_.below(100);
    k.form = form < 30   ? Kernel::kUnboxed
             : form < 55 ? Kernel::kUnboxedWithKeys
             : form < 80 ? Kernel::kBoxed
             : form < 96 ? Kernel::kFallthrough
                         : Kernel::kNotSupported;
    const bool knows_its_keys = k.form == Kernel::kUnboxedWithKeys || k.form == Kernel::kBoxed;
    if (knows_its_keys && dice_.percent(45))
      k.then = dice_.percent(60) ? Kernel::kRedispatch : Kernel::kCallAgain;
    k.signature = dice_.percent(6) ? dice_.below(kNumSignatures) : signature;
    return k;
  }

  std::string random_impl_key() {
    const int kind = dice_.below(100);
    if (kind < 28) return dice_.pick(keys_.backends);
    if (kind < 50) return existing("Autograd" + dice_.pick(keys_.backends));
    if (kind < 68) return dice_.pick(keys_.aliases);
    if (kind < 74) return existing("Autocast" + dice_.pick(keys_.backends));
    if (kind < 80) return "";
    if (kind < 81) return dice_.pick(keys_.without_backend);
    if (kind < 90) return dice_.pick(keys_.single);
    return dice_.pick(keys_.slots);
  }
  std::string existing(const std::string& key) { return keys_.has(key) ? key : dice_.pick(keys_.backends); }

  Step random_step() {
    const int op = dice_.percent(50) ? 0 : dice_.below(kNumOperators);
    const int kind = dice_.below(100);
    if (kind < 6) return def(Step::kDef, op);
    if (kind < 11) return def(Step::kDefWithKernel, op);
    if (kind < 14) return def(Step::kDefByName, op);
    if (kind < 16) return step(Step::kLibrary, op);
    if (kind < 20) {
      Step s = step(static_cast<Step::Kind>(Step::kDefInImplBlock + dice_.below(8)), op);
      s.kernel.signature = s.signature;
      return s;
    }
    if (kind < 38 && !alive_.empty()) {
      Step s = step(Step::kDeregister, op);
      s.target = dice_.pick(alive_);
      return s;
    }
    if (kind < 50) {
      Step s = step(Step::kFallback, op);
      do s.key = dice_.percent(60) ? dice_.pick(keys_.backends) : dice_.pick(keys_.slots);
      // LibTorch's own fallback for this key may be replaced (PrivateUse1 is for users), and would not come
      // back.
      while (s.key == "AutogradPrivateUse1");
      s.kernel = random_kernel(s.signature);
      const bool unboxed = s.kernel.form == Kernel::kUnboxed || s.kernel.form == Kernel::kUnboxedWithKeys;
      if (unboxed && !dice_.percent(5)) s.kernel.form = Kernel::kBoxed;
      return s;
    }
    Step s = step(Step::kImpl, op);
    s.key = random_impl_key();
    s.key_in_kernel = dice_.percent(40);
    s.kernel = random_kernel(s.signature);
    return s;
  }

  // What a tensor or a thread may carry. An Autocast key only with its own backend: glassbox keeps one bit
  // for all Autocast keys, LibTorch one for each. Tracer never: LibTorch's fallback for it, outside a trace,
  // calls itself until the stack ends.
  std::string random_carried_key() {
    for (;;) {
      const std::string& key = dice_.percent(50) ? dice_.pick(keys_.single) : dice_.pick(keys_.slots);
      if (!key.starts_with("Autocast") && key != "Undefined" && key != "Tracer") return key;
    }
  }
  KeyNames random_set(const std::string& backend) {
    KeyNames set;
    const auto put = [&](const std::string& key) {
      if (keys_.has(key) && !contains(set, key)) set.push_back(key);
    };
    const int kind = dice_.below(100);
    if (kind < 80) put(kind < 65 ? backend : (kind < 72 ? "Sparse" : "Quantized") + backend);
    if (kind < 55) {
      put("ADInplaceOrView");
      put("Autograd" + backend);
      put("Autocast" + backend);
    } else if (kind < 62 || dice_.percent(30)) {
      put("Autograd" + backend);
    }
    if (kind >= 80 && kind < 88) {
      put("FPGA");
      put("AutogradOther");
    }
    for (int extra = dice_.percent(35) ? 1 + dice_.below(3) : 0; extra > 0; --extra)
      put(random_carried_key());
    // To LibTorch's fallback a tensor with this key is a FunctionalTensorWrapper. Threads may include it.
    std::erase(set, "Functionalize");
    return set;
  }

  Call random_call(int op) {
    Call call;
    call.op = op;
    const int how = dice_.below(100);
    call.how = how < 35   ? Call::kTyped
               : how < 60 ? Call::kBoxed
               : how < 74 ? Call::kTypedRedispatch
               : how < 88 ? Call::kBoxedRedispatch
                          : Call::kForKey;
    const std::string backend = dice_.pick(keys_.backends);
    const bool needs_tensors = signature_[op] == 0 || signature_[op] == 1 || signature_[op] == 5;
    for (int n = needs_tensors ? 1 + dice_.below(2) : dice_.below(4); n > 0; --n) {
      if (dice_.percent(3))
        call.tensors.push_back(std::nullopt);
      else
        call.tensors.push_back(random_set(dice_.percent(85) ? backend : dice_.pick(keys_.backends)));
    }
    if (call.how == Call::kTypedRedispatch || call.how == Call::kBoxedRedispatch) {
      if (dice_.percent(50))
        call.redispatch = random_set(backend);
      else if (dice_.percent(90))
        call.redispatch = {dice_.pick(keys_.slots)};
      std::erase(call.redispatch, "Undefined");
    }
    if (call.how == Call::kForKey)
      call.key = dice_.percent(90) ? dice_.pick(keys_.slots) : dice_.pick(keys_.aliases);
    call.default_include = dice_.percent(85);
    call.autocast = dice_.percent(25);
    if (dice_.percent(20)) call.include.push_back(random_carried_key());
    if (dice_.percent(5) && call.autocast) call.include.push_back(existing("Autocast" + backend));
    for (int n = dice_.percent(30) ? 1 + dice_.below(3) : 0; n > 0; --n)
      call.exclude.push_back(random_carried_key());
    return call;
  }

  Dice dice_;
  const Vocabulary& keys_;
  const Size size_;
  Program program_;
  int last_number_ = 0;
  int signature_[kNumOperators] = {};
  std::vector<int>
      alive_;  // numbers that may be deregistered; some were refused, and ending those does nothing
};

}  // namespace

bool Vocabulary::has(const std::string& key) const { return contains(all_, key); }

Vocabulary::Vocabulary(const KeyNames& common) : all_(common) {
  static const KeyNames functionalities{"Dense", "Quantized", "Sparse", "AutogradFunctionality",
                                        "AutocastFunctionality"};
  for (const std::string& key : common) {
    if (key == "Autograd" || key.starts_with("Composite"))
      aliases.push_back(key);
    else if (contains(functionalities, key))
      without_backend.push_back(key);
    else
      slots.push_back(key);
    if (has("Autograd" + key) && key != "Other" && key != "Functionality") backends.push_back(key);
  }
  for (const std::string& key : slots) {
    const bool has_backend =
        std::any_of(backends.begin(), backends.end(), [&](const std::string& b) { return key.ends_with(b); });
    if (!has_backend && key != "Undefined") single.push_back(key);
  }
}

Program random_program(uint64_t seed, const Vocabulary& keys, const Size& size) {
  return Generator(seed, keys, size).run();
}

}  // namespace gb::tests::dispatch
