#include "labs/compiled_head.h"

#include <fmt/format.h>

#include "glassbox.h"

namespace gb::labs {
namespace {

double max_difference(const Tensor& a, const Tensor& b) {
  const Tensor d = (a.detach() - b.detach()).to(kDouble).cpu().contiguous();
  double largest = 0;
  for (int64_t i = 0; i < d.numel(); ++i) {
    const double v = std::abs(d.const_data_ptr<double>()[i]);
    if (!std::isnan(largest) && !(v <= largest)) largest = v;  // NaN counts as largest, and stays
  }
  return largest;
}

std::string counters(const CompileStats& s) {
  return fmt::format("calls {}, compiles {}, recompiles {}, taken from the cache {}", s.calls, s.compiles, s.recompiles,
                     s.cache_hits);
}

void check_equal(const Tensor& compiled, const Tensor& eager) {
  const double difference = max_difference(compiled, eager);
  fmt::print("  compiled against eager: max |difference| {:.2e}\n", difference);
  GB_CHECK_OR_THROW(difference <= 1e-6, Error, .what = "compile: the generated code and eager differ",
                    .cause = fmt::format("max |difference| is {:.3e}", difference),
                    .repair = "this is a bug in a lowering: GB_LOGS=output_code shows the code", .chapter = chapters::kCompile);
}

}  // namespace

void show_compiled_head(const nn::grammar::LmHead& head, const nn::grammar::Example& example, const CustomOpDef& custom) {
  fmt::print("\n== 4. Compile: model = lynx_cortex::softmax(linear(x, W, b)) ==\n\n");
  const NoGradGuard no_grad;
  const Tensor x = example.x.detach(), W = head.weight.detach(), b = head.bias.detach();
  const CompileOptions names{.input_names = {"x"}, .parameter_names = {{"W", W}, {"b", b}}};
  LogCapture logs;

  const auto model = [&](const Tensor& in) { return custom.call<Tensor>(linear(in, W, b)); };
  const CompiledFunction compiled = compile(model, names);
  const Tensor first = compiled(x);
  fmt::print("Captured below autograd, on Meta tensors:\n\n{}\n", logs.text(CompileLog::graph_code));
  fmt::print("Fusion:\n{}\n", logs.text(CompileLog::fusion));
  fmt::print("{}", logs.text(CompileLog::cache));
  check_equal(first, model(x));

  compiled(x);
  fmt::print("\nA second call with the same shapes: {}\n", counters(compiled.stats()));
  logs.clear();
  const Tensor taller = x.expand({2, x.size(0), x.size(1)}).reshape({2 * x.size(0), x.size(1)});  // each row twice
  check_equal(compiled(taller), model(taller));
  fmt::print("Another batch size, {}: {}\n{}", to_string(taller.sizes()), counters(compiled.stats()),
             logs.text(CompileLog::recompiles));

  logs.clear();
  const auto native = [&](const Tensor& in) { return softmax(linear(in, W, b), -1); };
  const CompiledFunction fused = compile(native, names);
  const Tensor y = fused(x);
  fmt::print("\n== The same with aten's softmax, which has a lowering: {} ==\n\n",
             x.is_cpu() ? "bias add and softmax in one loop nest" : "but loops are generated for the CPU only");
  fmt::print("{}\n{}", logs.text(CompileLog::fusion), logs.text(CompileLog::output_code));
  check_equal(y, native(x));
}

}  // namespace gb::labs
