// The settings of lab 00: the LM head, softmax(linear(x, W, b), -1), called in eight ways, each traced.
//
//   00_dispatcher_trace_settings              the hops of each setting, as a tree
//   00_dispatcher_trace_settings --json       the same as JSON, with the Chrome trace of the hops
//   00_dispatcher_trace_settings --only grad  one setting
//
// //labs:00-dispatcher-trace runs this and writes the report. The page is docs/en/lab/00-dispatcher-trace.md.
#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "autograd/autograd.h"
#include "autograd/inference_mode.h"
#include "autograd/node.h"
#include "dispatcher/dispatch_mode.h"
#include "dispatcher/json.h"
#include "library/custom_op.h"
#include "library/modes/logging_mode.h"
#include "nn/grammar/model.h"
#include "ops/autocast/autocast.h"
#include "ops/ops.h"

namespace gb::labs {
namespace {

struct Head {
  Tensor x, w, b;  // [2, 64], [600, 64], [600]: leaves that require grad
};

struct Setting {
  const char* name;
  const char* what;  // one line for the report
  std::function<Tensor(const Head&)> run;
};

Tensor head_of(const Head& h) { return softmax(linear(h.x, h.w, h.b), -1); }

Tensor shape_of(const Tensor& t) {
  return empty(t.sizes(), TensorOptions(t.scalar_type()).device(kMeta)).requires_grad_();
}

// The same numbers as aten::softmax, made of operators that autograd knows - but registered as one operator.
Tensor own_softmax(const Tensor& x) {
  const Tensor e = (x - x.amax({-1}, true)).exp();
  return e / e.sum({-1}, true);
}

std::vector<Setting> settings() {
  return {
      {"no-grad", "inside a NoGradGuard: the autograd kernels run, and make no nodes",
       [](const Head& h) {
         const NoGradGuard guard;
         return head_of(h);
       }},
      {"grad", "as a training step calls it: every operator leaves a node", head_of},
      {"inference", "inside InferenceMode: the autograd keys are excluded",
       [](const Head& h) {
         const InferenceMode mode;
         return head_of(h);
       }},
      {"autocast", "inside an autocast region: casts to bfloat16 above autograd, so they are recorded",
       [](const Head& h) {
         const autocast::AutocastGuard region(kCPU);
         return head_of(h);
       }},
      {"logging", "under a LoggingMode: each call passes the mode key on its way from autograd to the CPU",
       [](const Head& h) {
         LoggingMode mode;
         const DispatchModeGuard guard(&mode);
         return head_of(h);
       }},
      {"meta", "with tensors that have no memory: the same hops, other slots in the last one",
       [](const Head& h) {
         static const Head shapes{shape_of(h.x), shape_of(h.w), shape_of(h.b)};  // made before the trace
         return head_of(shapes);
       }},
      {"custom-op", "softmax as an operator of one's own, without a formula: boxed at Autograd",
       [](const Head& h) {
         static const CustomOpDef own = custom_op("lab00::softmax(Tensor x) -> Tensor", own_softmax);
         return own.call<Tensor>(linear(h.x, h.w, h.b));
       }},
      {"zeros", "a factory function: no tensor argument, so BackendSelect finds the backend",
       [](const Head&) {
         return zeros({2, 600});
       }},
  };
}

int run(bool as_json, const std::string& only) {
  const nn::grammar::LmHead model = nn::grammar::make_lm_head(0);
  const Head head{nn::grammar::make_example("i eat", model).x, model.weight, model.bias};
  std::vector<std::string> objects;
  for (const Setting& setting : settings()) {
    if (!only.empty() && only != setting.name) continue;
    setting.run(head);  // once before: what is made at the first call is made now
    Tensor result;
    std::string tree, chrome;
    {
      const trace::Recorder recorder;
      result = setting.run(head);
      tree = recorder.tree(), chrome = recorder.chrome_trace();
    }
    const std::string facts = fmt::format("{}, grad_fn {}", toString(result.scalar_type()),
                                          result.grad_fn() ? result.grad_fn()->name() : "none");
    if (!as_json) fmt::print("== {}: {}\n{}-> {}\n\n", setting.name, setting.what, tree, facts);
    objects.push_back(json::object({{"setting", json::quoted(setting.name)},
                                    {"what", json::quoted(setting.what)},
                                    {"result", json::quoted(facts)},
                                    {"tree", json::quoted(tree)},
                                    {"chrome", chrome}}));
  }
  if (objects.empty()) {
    fmt::print(stderr, "there is no setting {}\n", only);
    return 2;
  }
  if (as_json)
    fmt::print("{}\n",
               json::object({{"compiler", json::quoted(__VERSION__)}, {"settings", json::array(objects)}}));
  return 0;
}

}  // namespace
}  // namespace gb::labs

int main(int argc, char** argv) {
  bool as_json = false;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--json") {
      as_json = true;
    } else if (word == "--only" && i + 1 < argc) {
      only = argv[++i];
    } else {
      fmt::print(stderr, "unknown flag {}; there are --json and --only SETTING\n", word);
      return 2;
    }
  }
  return gb::labs::run(as_json, only);
}
