// A program to step through: one composite operator, its two parts, and their kernels. See README.md.
//
//   demo          runs it
//   demo texts    prints what the library itself says of the calls that the gdb sessions ask about
#include <cstdio>
#include <cstring>

#include "dispatcher/dispatcher.h"
#include "dispatcher/explain.h"
#include "dispatcher/library.h"
#include "tools/demo_ops.h"

namespace {

// A kernel that knows no signature: what gb-kernel finds behind the library's wrapper.
void twice(const gb::OperatorHandle&, gb::Stack* stack) {
  const gb::Tensor x = gb::jit::pop(*stack).toTensor();
  gb::jit::push(*stack, gb::demo::scale(x, 2));
}

GB_LIBRARY_FRAGMENT(demo, m) {
  m.def("twice(Tensor x) -> Tensor", gb::CppFunction::makeFromBoxedFunction<&twice>());
  const double by = 3;  // a kernel with state is a functor
  m.def("thrice(Tensor x) -> Tensor", [by](const gb::Tensor& x) { return gb::demo::scale(x, by); });
}

gb::Tensor call(const char* name, const gb::Tensor& x) {
  return gb::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<gb::Tensor(const gb::Tensor&)>().call(x);
}

void print_texts(const gb::Tensor& x, const gb::Tensor& deep) {
  for (const char* name : {"demo::affine", "demo::scale", "demo::shift_"}) {
    const gb::OperatorHandle op = gb::Dispatcher::singleton().findSchemaOrThrow(name, "");
    const auto explain = [&](std::vector<gb::ArgumentKeys> arguments) {
      std::printf("%s\n", gb::explain_dispatch(op, std::move(arguments)).text().c_str());
    };
    explain({{"x", x.key_set()}});
    explain({{"x", x.key_set()}, {"deep", deep.key_set()}});
    std::printf("%s\n", op.dumpComputedTable().c_str());
    const gb::AutoDispatchBelowADInplaceOrView guard;  // as within a kernel at Autograd
    explain({{"x", x.key_set()}});
    explain({});
  }
}

}  // namespace

int main(int argc, char** argv) {
  const gb::Tensor nothing;
  const gb::Tensor deep = gb::demo::counting({1, 2, 1, 2, 1, 2});  // more dimensions than lie inside the object
  const gb::Tensor x = gb::demo::counting({2, 3});
  if (argc > 1 && std::strcmp(argv[1], "texts") == 0) {
    print_texts(x, deep);
    return 0;
  }
  gb::Tensor y = gb::demo::affine(x, 2, 0.5);  // y = 2 x + 0.5
  gb::demo::shift_(y, -0.5);
  y = call("demo::twice", call("demo::thrice", y));
  std::printf("y[0][0] = %g\n", static_cast<double>(y.const_data_ptr<float>()[0]));
  return nothing.defined() || deep.dim() != 6;
}
