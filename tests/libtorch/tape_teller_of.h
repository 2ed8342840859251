// What the tape programs are told with: each line is one fact of a tensor after a statement, or why a statement was
// refused. For a library given by its Api: the names of the two are the same but for namespaces.
#pragma once

#include <sstream>

#include "tests/libtorch/tape_programs.h"

namespace gb::tests::tape {

template <class Api>
class TellerOf {
 protected:
  using Tensor = typename Api::Tensor;
  using NoGradGuard = typename Api::NoGradGuard;

  struct Silent : Api::WarningHandler {
    void process(const typename Api::Warning&) override {}
  };

  static Tensor leaf(std::vector<int64_t> sizes, double value = 1) { return Api::full(sizes, value).requires_grad_(); }
  static Tensor number(double value) { return Api::full({}, value); }
  static Tensor row(const Tensor& t, int64_t i) {
    return t.as_strided({t.size(1)}, {t.stride(1)}, t.storage_offset() + i * t.stride(0));
  }

  static std::vector<double> values(const Tensor& t) {
    const Tensor flat = t.detach().contiguous();
    const double* p = flat.template const_data_ptr<double>();
    return {p, p + flat.numel()};
  }

  void title(const char* text) { lines_.push_back(std::string("-- ") + text); }

  // grad_fn first: asking for it may change the rest.
  void say(const char* name, const Tensor& t) {
    std::ostringstream out;
    out << name << ": ";
    try {
      out << "leaf " << t.is_leaf();
      std::string node = t.grad_fn() ? t.grad_fn()->name() : "none";
      if (const size_t at = node.rfind("::"); at != std::string::npos) node = node.substr(at + 2);
      out << ", grad_fn " << node << ", leaf " << t.is_leaf() << ", output " << t.output_nr() << ", requires_grad "
          << t.requires_grad() << ", view " << t.is_view() << ", version " << t._version();
    } catch (const std::exception& e) {
      out << ", refused: " << reason(e);
    }
    out << ", values";
    for (double v : values(t)) out << " " << v;
    lines_.push_back(out.str());
  }

  // A gradient: its version says how it was added up, which is each library's own affair.
  void value(const char* name, const Tensor& t) {
    std::ostringstream out;
    out << name << ": requires_grad " << t.requires_grad() << ", values";
    for (double v : values(t)) out << " " << v;
    lines_.push_back(out.str());
  }

  template <class F>
  void attempt(const char* name, F&& f) {
    try {
      f();
      lines_.push_back(std::string(name) + ": done");
    } catch (const std::exception& e) {
      lines_.push_back(std::string(name) + ": refused: " + reason(e));
    }
  }

  static std::string reason(const std::exception& e) {
    const std::string text = e.what();
    static const char* const kWords[] = {
        "a view of a leaf Variable that requires grad", "a leaf Variable that requires grad",
        "is a view of a view which was created in no_grad mode and is being",
        "A view was created in no_grad mode and is being", "A view was created in no_grad mode and its base or another",
        "A view was created in inference mode and is being", "A view was created in inference mode and its base or another",
        "Inplace update to inference tensor outside InferenceMode is not allowed", "Inference tensors cannot be saved",
        "Inference tensors do not track version counter", "a second time", "detached in-place",
        "has changed the size of value", "has changed the type of value", "no hook at position", "that doesn't require gradient",
        "can't retain_grad on Tensor", "Can't detach views in-place", "does not require grad", "single memory location",
        "is not implemented", "returns multiple views", "invalid storage offset", "to a storage on different device",
        "out of bounds for storage of size", "returned an invalid gradient at index 0"};
    for (const char* words : kWords) {
      if (text.find(words) != std::string::npos) return words;
    }
    const size_t at = text.find("has been modified by an inplace operation");
    if (at == std::string::npos) return "other: " + text;
    std::string words = text.substr(at, text.find(" instead", at) - at);  // with the tensor, its author and both versions
    const std::string space = "torch::autograd::";
    if (const size_t from = words.find(space); from != std::string::npos) words.erase(from, space.size());
    return words;
  }

  void backward(const Tensor& root, const Tensor& of) {
    attempt("backward", [&] { root.sum().backward(); });
    value("gradient", of.grad().defined() ? of.grad() : number(-1));
  }

  Lines lines_;
};

}  // namespace gb::tests::tape
