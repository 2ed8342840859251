// The calls of a tape program by name, as one library given by its Api makes them. Names with a _ at the end write their
// first operand and return it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/libtorch/random_tape_program.h"

namespace gb::tests::tape {

template <class Api>
struct CallsOf {
  using Tensor = typename Api::Tensor;
  using Sizes = typename Api::IntArrayRef;
  struct Arguments {
    const std::vector<Tensor>& t;
    const std::vector<int64_t>& ints;
    double number;

    const Tensor& self() const { return t[0]; }
    Sizes sizes() const { return Sizes(ints); }
    size_t last() const { return static_cast<size_t>(ints.back()); }
  };
  using Call = Tensor (*)(const Arguments&);
  using A = const Arguments&;
  using Table = std::map<std::string, Call>;

  static Call find(const std::string& name) {
    static const Table table = all();
    return table.at(name);
  }

 private:
  static Table all() {
    Table calls = computed();
    calls.merge(views());
    calls.merge(written());
    return calls;
  }
  static Table computed() {
    return {
        {"add", [](A a) { return a.t[0].add(a.t[1]); }},
        {"sub", [](A a) { return a.t[0].sub(a.t[1]); }},
        {"mul", [](A a) { return a.t[0].mul(a.t[1]); }},
        {"maximum", [](A a) { return a.t[0].maximum(a.t[1]); }},
        {"where_positive", [](A a) { return a.t[0].where(a.t[1].gt(0), a.t[1]); }},
        {"add_number", [](A a) { return a.self().add(a.number); }},
        {"mul_number", [](A a) { return a.self().mul(a.number); }},
        {"neg", [](A a) { return a.self().neg(); }},
        {"tanh", [](A a) { return a.self().tanh(); }},
        {"sigmoid", [](A a) { return a.self().sigmoid(); }},
        {"relu", [](A a) { return a.self().relu(); }},
        {"square", [](A a) { return a.self().square(); }},
        {"sin", [](A a) { return a.self().sin(); }},
        {"clone", [](A a) { return a.self().clone(); }},
        {"contiguous", [](A a) { return a.self().contiguous(); }},
        {"sum", [](A a) { return a.self().sum(); }},
        {"mean", [](A a) { return a.self().mean(); }},
        {"sum_dim", [](A a) { return a.self().sum(Sizes(a.ints.data(), 1), a.ints[1] != 0); }},
        {"mean_dim", [](A a) { return a.self().mean(Sizes(a.ints.data(), 1), a.ints[1] != 0); }},
        {"softmax", [](A a) { return a.self().softmax(a.ints[0]); }},
        {"log_softmax", [](A a) { return a.self().log_softmax(a.ints[0]); }},
        {"cat", [](A a) { return Api::cat(a.t, a.ints[0]); }},
        {"stack", [](A a) { return Api::stack(a.t, a.ints[0]); }},
        {"mm", [](A a) { return a.t[0].mm(a.t[1]); }},
    };
  }
  static Table views() {
    return {
        {"view", [](A a) { return a.self().view(a.sizes()); }},
        {"reshape", [](A a) { return a.self().reshape(a.sizes()); }},
        {"flatten", [](A a) { return a.self().flatten(); }},
        {"alias", [](A a) { return a.self().alias(); }},
        {"expand", [](A a) { return a.self().expand(a.sizes()); }},
        {"permute", [](A a) { return a.self().permute(a.sizes()); }},
        {"transpose", [](A a) { return a.self().transpose(a.ints[0], a.ints[1]); }},
        {"t", [](A a) { return a.self().t(); }},
        {"diagonal", [](A a) { return a.self().diagonal(); }},
        {"unsqueeze", [](A a) { return a.self().unsqueeze(a.ints[0]); }},
        {"squeeze", [](A a) { return a.self().squeeze(); }},
        {"squeeze_dim", [](A a) { return a.self().squeeze(a.ints[0]); }},
        {"select", [](A a) { return a.self().select(a.ints[0], a.ints[1]); }},
        {"slice", [](A a) { return a.self().slice(a.ints[0], a.ints[1], a.ints[2], a.ints[3]); }},
        {"narrow", [](A a) { return a.self().narrow(a.ints[0], a.ints[1], a.ints[2]); }},
        {"as_strided",
         [](A a) { return a.self().as_strided(Sizes(a.ints.data(), 1), Sizes(a.ints.data() + 1, 1), a.ints[2]); }},
        {"unbind", [](A a) { return a.self().unbind(a.ints[0]).at(a.last()); }},
        {"split", [](A a) { return a.self().split(a.ints[0], a.ints[1]).at(a.last()); }},
        {"chunk", [](A a) { return a.self().chunk(a.ints[0], a.ints[1]).at(a.last()); }},
    };
  }
  static Table written() {
    return {
        {"add_", [](A a) { return a.t[0].add_(a.t[1]); }},
        {"sub_", [](A a) { return a.t[0].sub_(a.t[1]); }},
        {"mul_", [](A a) { return a.t[0].mul_(a.t[1]); }},
        {"copy_", [](A a) { return a.t[0].copy_(a.t[1]); }},
        {"add_number_", [](A a) { return a.self().add_(a.number); }},
        {"mul_number_", [](A a) { return a.self().mul_(a.number); }},
        {"fill_", [](A a) { return a.self().fill_(a.number); }},
        {"zero_", [](A a) { return a.self().zero_(); }},
        {"neg_", [](A a) { return a.self().neg_(); }},
        {"tanh_", [](A a) { return a.self().tanh_(); }},
        {"sigmoid_", [](A a) { return a.self().sigmoid_(); }},
        {"relu_", [](A a) { return a.self().relu_(); }},
        {"sin_", [](A a) { return a.self().sin_(); }},
        {"t_", [](A a) { return a.self().t_(); }},
        {"transpose_", [](A a) { return a.self().transpose_(a.ints[0], a.ints[1]); }},
        {"unsqueeze_", [](A a) { return a.self().unsqueeze_(a.ints[0]); }},
        {"squeeze_", [](A a) { return a.self().squeeze_(); }},
        {"squeeze_dim_", [](A a) { return a.self().squeeze_(a.ints[0]); }},
    };
  }
};

}  // namespace gb::tests::tape
