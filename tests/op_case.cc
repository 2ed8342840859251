#include "tests/op_case.h"


#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "dispatcher/dispatcher.h"

namespace gb::tests {
namespace {

// splitmix64: the same numbers on every machine, and any two seeds give unrelated rows.
class Random {
 public:
  // One step hashes the seed: neighbours would give the same row otherwise, moved by one element.
  explicit Random(uint64_t seed) : state_(seed) { state_ = next(); }
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // [0, 1)

 private:
  uint64_t state_;
};

struct Geometry {
  std::vector<int64_t> strides;
  int64_t offset = 0, storage_elements = 0;
};

// The strides that `form` gives to these sizes, and how much storage they need.
Geometry geometry_of(const std::vector<int64_t>& sizes, TensorSpec::Form form) {
  const int64_t rank = static_cast<int64_t>(sizes.size());
  Geometry g;
  g.strides.resize(sizes.size());
  const bool reversed = form == TensorSpec::Form::kTransposed;
  int64_t stride = 1;
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t d = reversed ? i : rank - 1 - i;
    g.strides[static_cast<size_t>(d)] = stride;
    stride *= std::max<int64_t>(sizes[static_cast<size_t>(d)], 1);
  }
  g.storage_elements = stride;
  if (form == TensorSpec::Form::kStepped) {
    for (int64_t& s : g.strides) s *= 2;
    g.offset = 1;
    g.storage_elements = 2 * stride;
  }
  if (form == TensorSpec::Form::kExpanded && rank > 0) g.strides[0] = 0;
  for (const int64_t size : sizes)
    if (size == 0) g.storage_elements = 0, g.offset = 0;
  return g;
}

Tensor with_geometry(const std::vector<int64_t>& sizes, const Geometry& g, ScalarType dtype, bool on_meta) {
  const Device device(on_meta ? kMeta : kCPU);
  Tensor made;
  if (on_meta) {
    const size_t nbytes = static_cast<size_t>(g.storage_elements) * elementSize(dtype);
    Storage storage(Storage::use_byte_size_t(), nbytes, DataPtr(nullptr, device));
    made = detail::make_tensor<TensorImpl>(std::move(storage), DispatchKey::Meta, dtype);
  } else {
    const size_t nbytes = static_cast<size_t>(g.storage_elements) * elementSize(dtype);
    Storage storage(Storage::use_byte_size_t(), nbytes, GetCPUAllocator(), true);
    if (nbytes > 0) std::memset(storage.mutable_data(), 0, nbytes);
    made = detail::make_tensor<TensorImpl>(std::move(storage), DispatchKey::CPU, dtype);
  }
  made.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, g.strides, g.offset);
  return made;
}

// Where element i (row-major) lies, counted in elements from data_ptr().
int64_t position(const Tensor& t, int64_t i) {
  int64_t at = 0;
  for (int64_t d = t.dim() - 1; d >= 0; --d) {
    at += i % t.size(d) * t.stride(d);
    i /= t.size(d);
  }
  return at;
}

template <class F>
auto with_type(ScalarType dtype, F&& f) {
  switch (dtype) {
    case kFloat: return f(float());
    case kHalf: return f(Half());
    case kBFloat16: return f(BFloat16());
    case kLong: return f(int64_t());
    case kInt: return f(int32_t());
    case kBool: return f(bool());
    default: return f(double());
  }
}

}  // namespace

Tensor make_tensor(const TensorSpec& spec, const MakeOptions& options, uint64_t position_in_call) {
  const ScalarType dtype = spec.dtype.value_or(options.dtype);
  const bool contiguous = options.for_gradients && spec.form == TensorSpec::Form::kExpanded;
  const Geometry g = geometry_of(spec.sizes, contiguous ? TensorSpec::Form::kContiguous : spec.form);
  const Tensor made = with_geometry(spec.sizes, g, dtype, options.on_meta);
  if (spec.wrapped_number) made.unsafeGetTensorImpl()->set_wrapped_number(true);
  if (options.on_meta) return made;
  Random random(options.seed * 31 + position_in_call);
  for (int64_t i = 0; i < made.numel(); ++i) {
    const double u = random.uniform();
    const double value = spec.low == spec.high   ? spec.low
                         : isFloatingType(dtype) ? spec.low + u * (spec.high - spec.low)
                         : dtype == kBool      ? static_cast<double>(u < 0.5)
                                               : std::floor(spec.low + u * (spec.high - spec.low + 1));
    set_element(made, i, value);
  }
  return made;
}

Stack make_arguments(const OpCase& op_case, const MakeOptions& options) {
  const size_t dot = op_case.op.find('.');
  const std::string overload = dot == std::string::npos ? "" : op_case.op.substr(dot + 1);
  const OperatorHandle handle =
      Dispatcher::singleton().findSchemaOrThrow(op_case.op.substr(0, dot).c_str(), overload.c_str());
  uint64_t position = 0;
  const auto to_value = [&](const CaseArgument& argument) -> IValue {
    if (const auto* spec = std::get_if<TensorSpec>(&argument)) return make_tensor(*spec, options, position++);
    if (const auto* specs = std::get_if<std::vector<TensorSpec>>(&argument)) {
      std::vector<Tensor> tensors;
      for (const TensorSpec& spec : *specs) tensors.push_back(make_tensor(spec, options, position++));
      return tensors;
    }
    return std::get<IValue>(argument);
  };
  Stack stack;
  for (const CaseArgument& argument : op_case.arguments) stack.push_back(to_value(argument));
  std::unordered_map<std::string, IValue> keywords;
  for (const auto& [name, argument] : op_case.keywords) keywords[name] = to_value(argument);
  if (options.on_meta && handle.schema().argumentIndexWithName("device"))
    keywords["device"] = Device(kMeta);  // a factory has no tensor to follow
  handle.schema().checkAndNormalizeInputs(stack, keywords);
  return stack;
}

std::vector<size_t> differentiable_positions(const OpCase& op_case, const Stack& arguments) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < arguments.size() && i < op_case.arguments.size(); ++i) {
    const auto* spec = std::get_if<TensorSpec>(&op_case.arguments[i]);
    if (spec && spec->differentiable && arguments[i].isTensor() && arguments[i].toTensor().is_floating_point())
      positions.push_back(i);
  }
  return positions;
}

double element(const Tensor& tensor, int64_t i) {
  return with_type(tensor.scalar_type(), [&]<class T>(T) {
    const T value = static_cast<const T*>(tensor.const_data_ptr())[position(tensor, i)];
    return static_cast<double>(value);
  });
}

void set_element(const Tensor& tensor, int64_t i, double value) {
  with_type(tensor.scalar_type(), [&]<class T>(T) {
    T& slot = static_cast<T*>(tensor.mutable_data_ptr())[position(tensor, i)];
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      slot = T(static_cast<float>(value));
    else
      slot = static_cast<T>(value);
  });
}

Tensor blank(IntArrayRef sizes, ScalarType dtype) {
  const std::vector<int64_t> copied = sizes.vec();
  return with_geometry(copied, geometry_of(copied, TensorSpec::Form::kContiguous), dtype, false);
}

}  // namespace gb::tests
