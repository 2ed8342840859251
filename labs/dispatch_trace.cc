#include "labs/dispatch_trace.h"

#include <fmt/format.h>

#include "glassbox.h"

namespace gb::labs {

void show_dispatch_trace(const nn::grammar::LmHead& head, const nn::grammar::Example& example) {
  fmt::print(R"(
== 1. Dispatch trace of linear(x, W, b), gradients on ==

One line per hop, indented by nesting:
  call OP(arguments: key set) | TLS +included -excluded | mask -fallthroughs => key : why this slot, kernel's place
  key = highest bit of ((arguments' keys | TLS included) - TLS excluded) & mask; a redispatch takes
  the set it is given: what its kernel received, less what that kernel serves.

)");
  Tensor logits;
  {
    trace::Recorder recorder;
    logits = linear(example.x, head.weight, head.bias);
    fmt::print("{}", recorder.tree());
  }
  fmt::print("\nThe tape, from softmax down (p = softmax(linear(x, W, b))):\n\n");
  const Tensor p = softmax(logits, -1);
  fmt::print("{}", autograd::format_tape(p, {{example.x, "x"}, {head.weight, "W"}, {head.bias, "b"}}));
}

}  // namespace gb::labs
