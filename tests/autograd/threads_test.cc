// Backward over a device with streams: its worker thread, the streams of the nodes, errors, nesting, several callers.
#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "autograd/engine.h"
#include "autograd/function.h"
#include "autograd/variable.h"
#include "glassbox.h"
#include "nn/checkpoint.h"
#include "ops/testing/testing.h"
#include "tests/autograd/streams_device.h"

using namespace gb;
using namespace gb::tests;
using autograd::Engine;

namespace {

StreamsDevice& device() {
  static StreamsDevice& hooks = *[] {
    auto* made = new StreamsDevice;  // the hooks and the workers outlive everything
    register_device_hooks(kPrivateUse1, made);
    return made;
  }();
  return hooks;
}

Device own(int index = 0) {
  device();
  return Device(kPrivateUse1, static_cast<DeviceIndex>(index));
}

class OnStream {
 public:
  explicit OnStream(StreamId id, int index = 0) : before_(device().current_stream(own(index))) {
    device().set_current_stream(Stream(Stream::UNSAFE, own(index), id));
  }
  ~OnStream() { device().set_current_stream(before_); }

 private:
  const Stream before_;
};

Tensor leaf_on(Device where, std::vector<double> numbers = {1, 2, 3}) {
  return tensor(ArrayRef<double>(numbers), TensorOptions(kDouble)).to(where).detach().requires_grad_();
}
std::vector<double> host_values(const Tensor& t) { return values(t.cpu()); }

// Where and on which stream the gradient of a tensor arrived.
struct Arrival {
  std::thread::id thread;
  StreamId stream = -1;
};
void note_arrival(const Tensor& t, Arrival& arrival) {
  t.register_hook([&arrival, where = t.device()](Tensor) {
    arrival.thread = std::this_thread::get_id();
    if (!where.is_cpu()) arrival.stream = device().current_stream(where).id();
  });
}

struct Throws : autograd::Function<Throws> {
  static Tensor forward(autograd::AutogradContext*, const Tensor& x) { return x * 1; }
  static autograd::variable_list backward(autograd::AutogradContext*, autograd::variable_list) {
    GB_THROW(ValueError, .what = "this node always throws", .cause = "", .repair = "", .chapter = "");
  }
};

// Its backward runs a backward of its own, `depth` deep.
struct Nests : autograd::Function<Nests> {
  static Tensor forward(autograd::AutogradContext* ctx, const Tensor& x, int64_t depth) {
    ctx->saved_data["depth"] = depth;
    ctx->saved_data["x"] = x.detach();
    return x * 2;
  }
  static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list grads) {
    const int64_t depth = ctx->saved_data["depth"].toInt();
    {
      const AutoGradMode grad(true);
      const Tensor x = ctx->saved_data["x"].toTensor().detach().requires_grad_();
      const Tensor y = depth > 0 ? Nests::apply(x, depth - 1) : x * 2;
      y.sum().backward();
      inner_sum += host_values(x.grad())[0];
    }
    return {grads[0] * 2, Tensor()};
  }
  static inline double inner_sum = 0;
};

}  // namespace

TEST_CASE("a node keeps the stream that was current when it was made") {
  const Tensor x = leaf_on(own());
  CHECK((x * 2).grad_fn()->stream() == Stream(Stream::UNSAFE, own(), 0));
  const OnStream stream(7);
  const Tensor y = x * 2;
  CHECK(y.grad_fn()->stream() == Stream(Stream::UNSAFE, own(), 7));
  CHECK_FALSE(y.cpu().grad_fn()->stream());
  CHECK_FALSE((ones({2}).requires_grad_() * 2).grad_fn()->stream());
}

TEST_CASE("nodes of the device run on its one worker, nodes on the CPU on the caller") {
  Arrival on_device, on_other, on_cpu;
  const auto run = [&] {
    const Tensor x = leaf_on(own(0)), z = leaf_on(own(1)), w = tensor({1.0, 2.0, 3.0}).requires_grad_();
    const Tensor y = x * 2, u = z * 3, v = w * 5;
    note_arrival(y, on_device);
    note_arrival(u, on_other);
    note_arrival(v, on_cpu);
    (y.cpu() + u.cpu() + v).sum().backward();
    CHECK(host_values(x.grad()) == std::vector<double>{2, 2, 2});
    CHECK(host_values(z.grad()) == std::vector<double>{3, 3, 3});
    CHECK(values(w.grad()) == std::vector<double>{5, 5, 5});
    CHECK(x.grad().device() == own(0));
    CHECK(z.grad().device() == own(1));
  };
  run();
  const std::thread::id caller = std::this_thread::get_id(), worker = on_device.thread;
  CHECK(on_cpu.thread == caller);
  CHECK(worker != caller);
  CHECK(on_other.thread != caller);
  CHECK(on_other.thread != worker);
  run();
  CHECK(on_device.thread == worker);
}

TEST_CASE("a pass without such nodes stays on the caller") {
  Arrival arrival;
  const Tensor w = ones({2}).requires_grad_();
  const Tensor y = w * 2;
  note_arrival(y, arrival);
  y.sum().backward();
  CHECK(arrival.thread == std::this_thread::get_id());
}

TEST_CASE("each node runs on its stream; where two meet, the consumer's waits; at the end the caller's does") {
  const Tensor x = leaf_on(own());  // its AccumulateGrad is made at its first use, on stream 3
  Arrival first, second;
  Tensor y, z;
  {
    const OnStream stream(3);
    y = x * 2;
    note_arrival(y, first);
  }
  {
    const OnStream stream(4);
    z = (y * 3).sum();
    note_arrival(z, second);
  }
  device().forget();
  {
    const OnStream stream(9);
    z.backward();
  }
  CHECK(host_values(x.grad()) == std::vector<double>{6, 6, 6});
  CHECK(first.stream == 3);
  CHECK(second.stream == 4);
  CHECK(device().waited(0, 4, 9));  // the root's gradient, which backward made
  CHECK(device().waited(0, 3, 4));
  CHECK(device().recorded(3));
  for (StreamId used : {3, 4}) CHECK(device().waited(0, 9, used));
  CHECK(device().current_stream(own()).id() == 0);
}

TEST_CASE("one stream throughout: nothing waits but for itself") {
  const OnStream stream(5);
  const Tensor x = leaf_on(own());
  device().forget();
  (x * x).sum().backward();
  CHECK(device().waits() == 1);
  CHECK(device().waited(0, 5, 5));
}

TEST_CASE("grad: an answer is kept for the caller's stream; create_graph records on the worker") {
  const Tensor x = leaf_on(own());
  const Tensor y = (x * x * x).sum();
  const OnStream stream(6);
  device().forget();
  const Tensor g = autograd::grad({y}, {x}, {}, std::nullopt, /*create_graph=*/true)[0];
  CHECK(host_values(g) == std::vector<double>{3, 12, 27});
  CHECK(device().recorded(6));
  CHECK(device().waited(0, 6, 0));
  CHECK(host_values(autograd::grad({g.sum()}, {x})[0]) == std::vector<double>{6, 12, 18});
}

TEST_CASE("the worker takes over the caller's settings") {
  const Tensor x = leaf_on(own());
  bool recording = true;
  const Tensor y = x * 2;
  y.register_hook([&](Tensor) { recording = GradMode::is_enabled(); });
  const Tensor sum = y.sum();
  sum.backward({}, /*retain_graph=*/true);
  CHECK_FALSE(recording);
  sum.backward({}, true, /*create_graph=*/true);
  CHECK(recording);
}

TEST_CASE("an error on the worker ends the pass, says where, and leaves the engine usable") {
  const Tensor x = leaf_on(own());
  for (int i = 0; i < 3; ++i) {
    const Tensor y = (Throws::apply(x) * 2 + x).sum();
    const std::string message = message_of([&] { y.backward(); });
    CHECK(contains(message, "this node always throws"));
    INFO(message);
    CHECK(contains(message, "while backward ran CppNode<(anonymous namespace)::Throws>"));
  }
  const Tensor w = leaf_on(own());
  (w * 2).sum().backward();
  CHECK(host_values(w.grad()) == std::vector<double>{2, 2, 2});
}

TEST_CASE("an error on the caller, while the worker has nodes of the pass") {
  const Tensor x = leaf_on(own()), w = ones({3}, kDouble).requires_grad_();
  for (int i = 0; i < 20; ++i) {
    Tensor on_device = x;
    for (int k = 0; k < 10; ++k) on_device = on_device * 1;
    const Tensor y = (on_device.cpu() + Throws::apply(w)).sum();
    CHECK(contains(message_of([&] { y.backward(); }), "this node always throws"));
  }
}

TEST_CASE("a backward inside a backward, on the worker, also deep enough for a fresh stack") {
  for (int64_t depth : {0, 3, 150}) {
    Nests::inner_sum = 0;
    const Tensor x = leaf_on(own());
    Nests::apply(x, depth).sum().backward();
    CHECK(host_values(x.grad()) == std::vector<double>{2, 2, 2});
    CHECK(Nests::inner_sum == 2.0 * static_cast<double>(depth + 1));
  }
}

TEST_CASE("a backward inside a backward that goes between the devices") {
  const Tensor x = leaf_on(own(0));
  const Tensor y = x * 2;
  std::atomic<int> inner = 0;
  y.register_hook([&](Tensor) {  // on the worker of device 0: its pass needs both workers and itself
    const AutoGradMode grad(true);
    const Tensor a = leaf_on(own(1));
    const Tensor there = a * 3;
    there.register_hook([&](Tensor) {
      const AutoGradMode again(true);
      const Tensor b = leaf_on(own(0));
      (b * 4).sum().backward();  // back on device 0, whose worker waits for this pass
      inner += host_values(b.grad())[0] == 4;
    });
    there.to(own(0)).sum().backward();
    inner += host_values(a.grad())[0] == 3;
  });
  y.sum().backward();
  CHECK(inner == 2);
  CHECK(host_values(x.grad()) == std::vector<double>{2, 2, 2});
}

TEST_CASE("several callers at once, over graphs of their own and a shared leaf") {
  const Tensor shared = leaf_on(own(), {0, 0, 0});
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  constexpr int kCallers = 4, kRounds = 25;
  for (int c = 0; c < kCallers; ++c) {
    callers.emplace_back([&, c] {
      for (int i = 0; i < kRounds; ++i) {
        const Tensor x = leaf_on(own(c % 2));
        Tensor y = x;
        for (int k = 0; k < 5; ++k) y = y * 2;
        y = y.to(own(0)) + shared;
        if (i % 5 == 4) y = Nests::apply(y, 1);
        y.sum().backward();
        wrong += host_values(x.grad())[0] != (i % 5 == 4 ? 64 : 32);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
  CHECK(host_values(shared.grad())[0] == kCallers * (kRounds + kRounds / 5));
}

TEST_CASE("stepped, the nodes run on the caller, on their streams") {
  Arrival arrival;
  Tensor x = leaf_on(own()), y;
  {
    const OnStream stream(3);
    y = x * 2;
    note_arrival(y, arrival);
  }
  const Tensor z = y.sum();
  Engine& engine = Engine::get_default_engine();
  engine.start({autograd::impl::gradient_edge(z)}, {ones({}, kDouble).to(own())}, false, false, true);
  while (engine.step()) {
  }
  engine.finish();
  CHECK(arrival.thread == std::this_thread::get_id());
  CHECK(arrival.stream == 3);
  CHECK(device().current_stream(own()).id() == 0);
  CHECK(host_values(x.grad()) == std::vector<double>{2, 2, 2});
}

TEST_CASE("queue_callback from the worker runs at the end, on the caller") {
  const Tensor x = leaf_on(own());
  const Tensor y = x * 2;
  std::thread::id ran_on;
  y.register_hook([&](Tensor) {
    Engine::get_default_engine().queue_callback([&] { ran_on = std::this_thread::get_id(); });
  });
  y.sum().backward();
  CHECK(ran_on == std::this_thread::get_id());
}

TEST_CASE("a mode that sees the sum of two gradients may start a backward and queue a callback") {
  struct CallsBack final : DispatchMode {
    void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override {
      if (op.schema().name() == "aten::add" || op.schema().name() == "aten::add_") {
        ++sums;
        Engine::get_default_engine().queue_callback([this] { ++called; });
        const AutoGradMode recording(true);
        const gb::impl::ForceDispatchKeyGuard all_keys(gb::impl::LocalDispatchKeySet{});  // the mode is below autograd
        const Tensor inner = leaf_on(own(1));
        (inner * 3).sum().backward();
        inner_gradient = host_values(inner.grad())[0];
      }
      op.redispatchBoxed(ks, stack);
    }
    int sums = 0, called = 0;
    double inner_gradient = 0;
  } mode;
  const Tensor x = leaf_on(own(0)), w = ones({3}, kDouble).requires_grad_();
  const Tensor y = cat({x.cpu() * 2, w * 3, w * 5}, 0).sum();  // w's gradients meet on the caller
  {
    const DispatchModeGuard guard(&mode);
    y.backward();
  }
  CHECK(mode.sums == 1);
  CHECK(mode.called == 1);
  CHECK(mode.inner_gradient == 3);
  CHECK(values(w.grad()) == std::vector<double>{8, 8, 8});
  CHECK(host_values(x.grad()) == std::vector<double>{2, 2, 2});
}

TEST_CASE("gradients of one tensor from two devices at once are all in its sum") {
  for (int round = 0; round < 50; ++round) {
    const Tensor w = ones({3}, kDouble).requires_grad_();
    Tensor sum = w * 0;
    for (int i = 0; i < 8; ++i) sum = sum + (w.to(own(i % 2)) * (i + 1)).cpu();
    sum.sum().backward();
    CHECK(values(w.grad()) == std::vector<double>{36, 36, 36});
  }
}

TEST_CASE("a checkpointed function that runs a backward over two devices, asked for by both of their workers") {
  std::atomic<int> runs = 0;
  const auto f = [&](const Tensor& a, const Tensor& b) {
    if (++runs > 1) {
      while (runs < 3) std::this_thread::yield();  // until the other worker has asked too
    }
    const Tensor u = leaf_on(own(0)), v = leaf_on(own(1));
    ((u * 3).cpu() + (v * 5).cpu()).sum().backward();
    CHECK(host_values(v.grad()) == std::vector<double>{5, 5, 5});
    return std::vector<Tensor>{a * a, b * b};
  };
  const Tensor a = leaf_on(own(0)), b = leaf_on(own(1));
  const std::vector<Tensor> squares = nn::checkpoint(f, a, b);
  (squares[0].cpu() + squares[1].cpu()).sum().backward();
  CHECK(runs == 3);
  CHECK(host_values(a.grad()) == std::vector<double>{2, 4, 6});
  CHECK(host_values(b.grad()) == std::vector<double>{2, 4, 6});
}
