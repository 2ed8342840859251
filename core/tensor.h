// Tensor: one counted pointer to a TensorImpl. Copying a Tensor shares the data; an undefined Tensor points to
// UndefinedTensorImpl and answers the questions below with "nothing".
//
// core/ defines what can be read off the TensorImpl. The operators (second half) are only declared here: each is
// defined in its own folder, ops/<operator>/, as one call through the operator's handle; the autograd methods are in
// autograd/. So core/ links alone, and programs depend on //:glassbox. Names follow ATen's Tensor.
#pragma once

#include <iosfwd>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/generator.h"
#include "core/scalar.h"
#include "core/stream.h"
#include "core/tensor_impl.h"
#include "core/tensor_options.h"

namespace gb {

namespace autograd { struct Node; }
using TensorList = ArrayRef<Tensor>;

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(intrusive_ptr<TensorImpl, UndefinedTensorImpl> impl) : impl_(std::move(impl)) {}
  static Tensor wrap_tensor_impl(intrusive_ptr<TensorImpl, UndefinedTensorImpl> impl) { return Tensor(std::move(impl)); }

  // --- identity
  bool defined() const { return impl_.defined(); }
  void reset() { impl_.reset(); }
  bool is_same(const Tensor& other) const { return impl_ == other.impl_; }
  size_t use_count() const { return impl_.use_count(); }
  TensorImpl* unsafeGetTensorImpl() const { return impl_.get(); }
  const intrusive_ptr<TensorImpl, UndefinedTensorImpl>& getIntrusivePtr() const { return impl_; }
  TensorImpl* unsafeReleaseIntrusivePtr() { return impl_.release(); }

  // --- geometry; negative dimensions count from the end
  DispatchKeySet key_set() const { return impl_->key_set(); }
  int64_t dim() const { return impl_->dim(); }
  int64_t ndimension() const { return dim(); }
  IntArrayRef sizes() const { return impl_->sizes(); }
  IntArrayRef strides() const { return impl_->strides(); }
  int64_t size(int64_t d) const;    // throws IndexError
  int64_t stride(int64_t d) const;  // in elements; throws IndexError
  int64_t numel() const { return impl_->numel(); }
  size_t itemsize() const { return impl_->dtype().itemsize(); }
  int64_t element_size() const { return static_cast<int64_t>(itemsize()); }
  size_t nbytes() const { return static_cast<size_t>(numel()) * itemsize(); }
  int64_t storage_offset() const { return impl_->storage_offset(); }
  const Storage& storage() const { return impl_->storage(); }
  bool has_storage() const { return static_cast<bool>(impl_->storage()); }
  bool is_alias_of(const Tensor& other) const { return storage().is_alias_of(other.storage()); }
  bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const { return impl_->is_contiguous(); }
  bool is_non_overlapping_and_dense() const;  // every element of a solid block, each once

  // --- type and place
  TypeMeta dtype() const { return impl_->dtype(); }
  ScalarType scalar_type() const { return impl_->dtype().toScalarType(); }
  Device device() const { return impl_->device(); }
  int64_t get_device() const { return device().index(); }
  Layout layout() const { return kStrided; }
  TensorOptions options() const { return TensorOptions(dtype()).device(device()).layout(kStrided); }
  bool is_cpu() const { return device().is_cpu(); }
  bool is_cuda() const { return device().is_cuda(); }
  bool is_meta() const { return device().is_meta(); }
  bool is_floating_point() const { return isFloatingType(scalar_type()); }
  bool is_signed() const { return scalar_type() != kBool && scalar_type() != kByte; }
  std::string toString() const;  // "CPUFloatType"

  // --- data; the typed forms check the dtype and throw TypeError
  void* data_ptr() const { return impl_->data(); }
  const void* const_data_ptr() const { return impl_->data(); }
  void* mutable_data_ptr() const { return impl_->data(); }
  template <class T>
  T* data_ptr() const {
    check_dtype(CppTypeToScalarType<T>::value);
    return static_cast<T*>(impl_->data());
  }
  template <class T>
  const T* const_data_ptr() const { return data_ptr<T>(); }
  template <class T>
  T* mutable_data_ptr() const { return data_ptr<T>(); }
  Scalar item() const;  // one element, else throws; copies from a device
  template <class T>
  T item() const { return item().to<T>(); }

  // --- autograd (autograd/tensor_methods.cc)
  bool requires_grad() const;
  const Tensor& set_requires_grad(bool requires_grad) const;
  Tensor& requires_grad_(bool requires_grad = true) const;
  bool is_leaf() const;
  const Tensor& grad() const;
  Tensor& mutable_grad() const { return impl_->mutable_grad(); }
  const std::shared_ptr<autograd::Node>& grad_fn() const;
  int64_t output_nr() const;
  int64_t _version() const { return impl_->version_counter().current_version(); }
  bool is_inference() const { return impl_->is_inference(); }
  bool is_view() const;
  const Tensor& _base() const;
  Tensor tensor_data() const;    // shares data and version, no history
  Tensor variable_data() const;  // shares data, fresh version, no history
  Tensor data() const { return variable_data(); }
  Tensor& set_() const;  // this and the next: another storage, or part of one, in place of this one's (ops/set/)
  Tensor& set_(const Tensor& source) const;
  Tensor& set_(const Tensor& source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride = {}) const;
  Tensor& set_(Storage source) const;
  Tensor& set_(Storage source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride = {}) const;
  void set_data(const Tensor& new_data) const;  // takes over storage, sizes and dtype; keeps version and history
  Tensor& detach_() const;
  // A hook gets the gradient in backward and returns nothing, or the gradient that is to take its place.
  template <class F>
  unsigned register_hook(F&& hook) const;  // its number, for remove_hook
  unsigned _register_hook(std::function<Tensor(const Tensor&)> hook) const;
  void remove_hook(unsigned number) const;
  void retain_grad() const;  // grad() of a computed tensor is kept, too
  bool retains_grad() const;
  void backward(const Tensor& gradient = {}, std::optional<bool> retain_graph = {}, bool create_graph = false,
                std::optional<TensorList> inputs = {}) const;

  // --- operators (ops/<operator>/)
  Tensor add(const Tensor& other, const Scalar& alpha = 1) const;
  Tensor add(const Scalar& other, const Scalar& alpha = 1) const;
  Tensor& add_(const Tensor& other, const Scalar& alpha = 1) const;
  Tensor sub(const Tensor& other, const Scalar& alpha = 1) const;
  Tensor sub(const Scalar& other, const Scalar& alpha = 1) const;
  Tensor& sub_(const Tensor& other, const Scalar& alpha = 1) const;
  Tensor mul(const Tensor& other) const;
  Tensor mul(const Scalar& other) const;
  Tensor& mul_(const Tensor& other) const;
  Tensor div(const Tensor& other) const;
  Tensor div(const Scalar& other) const;
  Tensor& div_(const Tensor& other) const;
  Tensor& add_(const Scalar& other, const Scalar& alpha = 1) const;
  Tensor& sub_(const Scalar& other, const Scalar& alpha = 1) const;
  Tensor& mul_(const Scalar& other) const;
  Tensor& div_(const Scalar& other) const;
  Tensor addcmul(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1) const;
  Tensor& addcmul_(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1) const;
  Tensor addcdiv(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1) const;
  Tensor& addcdiv_(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1) const;
  Tensor lerp(const Tensor& end, const Scalar& weight) const;
  Tensor lerp(const Tensor& end, const Tensor& weight) const;
  Tensor& lerp_(const Tensor& end, const Scalar& weight) const;
  Tensor& lerp_(const Tensor& end, const Tensor& weight) const;
  Tensor pow(const Scalar& exponent) const;
  Tensor pow(const Tensor& exponent) const;
  Tensor& pow_(const Scalar& exponent) const;
  Tensor& pow_(const Tensor& exponent) const;
  Tensor eq(const Tensor& other) const;
  Tensor eq(const Scalar& other) const;
  Tensor& eq_(const Tensor& other) const;
  Tensor& eq_(const Scalar& other) const;
  Tensor ne(const Tensor& other) const;
  Tensor ne(const Scalar& other) const;
  Tensor& ne_(const Tensor& other) const;
  Tensor& ne_(const Scalar& other) const;
  Tensor lt(const Tensor& other) const;
  Tensor lt(const Scalar& other) const;
  Tensor& lt_(const Tensor& other) const;
  Tensor& lt_(const Scalar& other) const;
  Tensor le(const Tensor& other) const;
  Tensor le(const Scalar& other) const;
  Tensor& le_(const Tensor& other) const;
  Tensor& le_(const Scalar& other) const;
  Tensor gt(const Tensor& other) const;
  Tensor gt(const Scalar& other) const;
  Tensor& gt_(const Tensor& other) const;
  Tensor& gt_(const Scalar& other) const;
  Tensor ge(const Tensor& other) const;
  Tensor ge(const Scalar& other) const;
  Tensor& ge_(const Tensor& other) const;
  Tensor& ge_(const Scalar& other) const;
  Tensor isnan() const;
  Tensor isinf() const;
  Tensor maximum(const Tensor& other) const;
  Tensor minimum(const Tensor& other) const;
  Tensor clamp(const std::optional<Scalar>& min = {}, const std::optional<Scalar>& max = {}) const;
  Tensor clamp(const std::optional<Tensor>& min, const std::optional<Tensor>& max = {}) const;
  Tensor& clamp_(const std::optional<Scalar>& min = {}, const std::optional<Scalar>& max = {}) const;
  Tensor& clamp_(const std::optional<Tensor>& min, const std::optional<Tensor>& max = {}) const;
  Tensor clamp_min(const Scalar& min) const;
  Tensor& clamp_min_(const Scalar& min) const;
  Tensor clamp_max(const Scalar& max) const;
  Tensor& clamp_max_(const Scalar& max) const;
  Tensor where(const Tensor& condition, const Tensor& other) const;
  Tensor where(const Tensor& condition, const Scalar& other) const;
  Tensor masked_fill(const Tensor& mask, const Scalar& value) const;
  Tensor masked_fill(const Tensor& mask, const Tensor& value) const;
  Tensor& masked_fill_(const Tensor& mask, const Scalar& value) const;
  Tensor& masked_fill_(const Tensor& mask, const Tensor& value) const;
  Tensor neg() const;
  Tensor& neg_() const;
  Tensor exp() const;
  Tensor& exp_() const;
  Tensor log() const;
  Tensor& log_() const;
  Tensor sqrt() const;
  Tensor& sqrt_() const;
  Tensor rsqrt() const;
  Tensor& rsqrt_() const;
  Tensor reciprocal() const;
  Tensor& reciprocal_() const;
  Tensor square() const;
  Tensor& square_() const;
  Tensor abs() const;
  Tensor& abs_() const;
  Tensor sign() const;
  Tensor& sign_() const;
  Tensor floor() const;
  Tensor& floor_() const;
  Tensor sin() const;
  Tensor& sin_() const;
  Tensor cos() const;
  Tensor& cos_() const;
  Tensor tanh() const;
  Tensor& tanh_() const;
  Tensor sigmoid() const;
  Tensor& sigmoid_() const;
  Tensor relu() const;
  Tensor& relu_() const;
  Tensor sum(std::optional<ScalarType> dtype = {}) const;
  Tensor sum(IntArrayRef dim, bool keepdim = false, std::optional<ScalarType> dtype = {}) const;
  Tensor mean(std::optional<ScalarType> dtype = {}) const;
  Tensor mean(IntArrayRef dim, bool keepdim = false, std::optional<ScalarType> dtype = {}) const;
  Tensor amax(IntArrayRef dim = {}, bool keepdim = false) const;
  Tensor amin(IntArrayRef dim = {}, bool keepdim = false) const;
  Tensor max() const;
  std::tuple<Tensor, Tensor> max(int64_t dim, bool keepdim = false) const;  // values, indices
  Tensor max(const Tensor& other) const;
  Tensor min() const;
  std::tuple<Tensor, Tensor> min(int64_t dim, bool keepdim = false) const;
  Tensor min(const Tensor& other) const;
  Tensor argmax(std::optional<int64_t> dim = {}, bool keepdim = false) const;
  Tensor argmin(std::optional<int64_t> dim = {}, bool keepdim = false) const;
  Tensor any() const;
  Tensor any(int64_t dim, bool keepdim = false) const;
  Tensor any(OptionalIntArrayRef dim, bool keepdim = false) const;
  Tensor all() const;
  Tensor all(int64_t dim, bool keepdim = false) const;
  Tensor all(OptionalIntArrayRef dim, bool keepdim = false) const;
  Tensor prod(std::optional<ScalarType> dtype = {}) const;
  Tensor prod(int64_t dim, bool keepdim = false, std::optional<ScalarType> dtype = {}) const;
  Tensor var(bool unbiased) const;
  Tensor var(OptionalIntArrayRef dim, bool unbiased, bool keepdim = false) const;
  Tensor var(OptionalIntArrayRef dim = {}, const std::optional<Scalar>& correction = {}, bool keepdim = false) const;
  Tensor std(bool unbiased) const;
  Tensor std(OptionalIntArrayRef dim, bool unbiased, bool keepdim = false) const;
  Tensor std(OptionalIntArrayRef dim = {}, const std::optional<Scalar>& correction = {}, bool keepdim = false) const;
  Tensor logsumexp(IntArrayRef dim, bool keepdim = false) const;
  Tensor norm(const Scalar& p = 2) const;
  Tensor norm(const std::optional<Scalar>& p, ScalarType dtype) const;
  Tensor norm(const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim = false) const;
  Tensor norm(const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim, ScalarType dtype) const;
  Tensor cumsum(int64_t dim, std::optional<ScalarType> dtype = {}) const;
  Tensor sum_to_size(IntArrayRef sizes) const;
  Tensor mm(const Tensor& mat2) const;
  Tensor addmm(const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1) const;
  Tensor bmm(const Tensor& mat2) const;
  Tensor baddbmm(const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1) const;
  Tensor& baddbmm_(const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1) const;
  Tensor matmul(const Tensor& other) const;
  Tensor mv(const Tensor& vec) const;
  Tensor dot(const Tensor& tensor) const;
  Tensor t() const;
  Tensor& t_() const;
  Tensor softmax(int64_t dim, std::optional<ScalarType> dtype = {}) const;
  Tensor log_softmax(int64_t dim, std::optional<ScalarType> dtype = {}) const;
  Tensor gather(int64_t dim, const Tensor& index, bool sparse_grad = false) const;
  Tensor scatter_add(int64_t dim, const Tensor& index, const Tensor& src) const;
  Tensor& scatter_add_(int64_t dim, const Tensor& index, const Tensor& src) const;
  Tensor view(IntArrayRef sizes) const;
  Tensor reshape(IntArrayRef sizes) const;
  Tensor expand(IntArrayRef sizes, bool implicit = false) const;
  Tensor expand_as(const Tensor& other) const { return expand(other.sizes()); }
  Tensor flatten(int64_t start_dim = 0, int64_t end_dim = -1) const;
  Tensor transpose(int64_t dim0, int64_t dim1) const;
  Tensor& transpose_(int64_t dim0, int64_t dim1) const;
  Tensor permute(IntArrayRef dims) const;
  Tensor unsqueeze(int64_t dim) const;
  Tensor& unsqueeze_(int64_t dim) const;
  Tensor squeeze() const;
  Tensor squeeze(int64_t dim) const;
  Tensor squeeze(IntArrayRef dims) const;
  Tensor& squeeze_() const;
  Tensor& squeeze_(int64_t dim) const;
  Tensor& squeeze_(IntArrayRef dims) const;
  Tensor select(int64_t dim, int64_t index) const;
  Tensor operator[](int64_t index) const { return select(0, index); }
  Tensor slice(int64_t dim = 0, std::optional<int64_t> start = {}, std::optional<int64_t> end = {},
               int64_t step = 1) const;
  Tensor narrow(int64_t dim, int64_t start, int64_t length) const;
  std::vector<Tensor> split(int64_t split_size, int64_t dim = 0) const;
  std::vector<Tensor> split(IntArrayRef split_sizes, int64_t dim = 0) const;
  std::vector<Tensor> split_with_sizes(IntArrayRef split_sizes, int64_t dim = 0) const;
  std::vector<Tensor> chunk(int64_t chunks, int64_t dim = 0) const;
  std::vector<Tensor> unbind(int64_t dim = 0) const;
  Tensor diagonal(int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) const;
  Tensor alias() const;
  Tensor view_as(const Tensor& other) const { return view(other.sizes()); }
  Tensor flip(IntArrayRef dims) const;
  Tensor repeat(IntArrayRef repeats) const;
  Tensor tril(int64_t diagonal = 0) const;
  Tensor& tril_(int64_t diagonal = 0) const;
  Tensor triu(int64_t diagonal = 0) const;
  Tensor& triu_(int64_t diagonal = 0) const;
  Tensor index_select(int64_t dim, const Tensor& index) const;
  Tensor index_add(int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1) const;
  Tensor& index_add_(int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1) const;
  std::tuple<Tensor, Tensor> topk(int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true) const;
  Tensor as_strided(IntArrayRef sizes, IntArrayRef strides, std::optional<int64_t> storage_offset = {}) const;
  Tensor detach() const;
  Tensor clone(std::optional<MemoryFormat> memory_format = {}) const;
  Tensor contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  Tensor& copy_(const Tensor& src, bool non_blocking = false) const;
  Tensor to(const TensorOptions& options, bool non_blocking = false, bool copy = false) const;
  Tensor to(Device device, ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  Tensor to(ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  Tensor cpu() const { return to(TensorOptions(kCPU)); }
  Tensor cuda() const { return to(TensorOptions(kCUDA)); }
  bool is_pinned(std::optional<Device> device = {}) const;  // host memory that a device reads by itself?
  Tensor pin_memory(std::optional<Device> device = {}) const;
  void record_stream(Stream s) const;  // this tensor's memory is used on `s`, too
  Tensor& fill_(const Scalar& value) const;
  Tensor& fill_(const Tensor& value) const;  // of one element
  Tensor& zero_() const;
  Tensor& normal_(double mean = 0, double std = 1, std::optional<Generator> generator = {}) const;
  Tensor& uniform_(double from = 0, double to = 1, std::optional<Generator> generator = {}) const;
  Tensor& random_(int64_t from, std::optional<int64_t> to, std::optional<Generator> generator = {}) const;
  Tensor& random_(int64_t to, std::optional<Generator> generator = {}) const;
  Tensor& random_(std::optional<Generator> generator = {}) const;
  Tensor bernoulli(std::optional<Generator> generator = {}) const;
  Tensor bernoulli(double p, std::optional<Generator> generator = {}) const;
  Tensor& bernoulli_(const Tensor& p, std::optional<Generator> generator = {}) const;
  Tensor& bernoulli_(double p = 0.5, std::optional<Generator> generator = {}) const;
  Tensor multinomial(int64_t num_samples, bool replacement = false, std::optional<Generator> generator = {}) const;

  Tensor operator-() const { return neg(); }
  Tensor& operator+=(const Tensor& o) { return add_(o); }
  Tensor& operator-=(const Tensor& o) { return sub_(o); }
  Tensor& operator*=(const Tensor& o) { return mul_(o); }
  Tensor& operator/=(const Tensor& o) { return div_(o); }

 private:
  void check_dtype(ScalarType wanted) const {
    if (scalar_type() != wanted) throw_wrong_dtype(wanted);
  }
  [[noreturn]] void throw_wrong_dtype(ScalarType wanted) const;

  intrusive_ptr<TensorImpl, UndefinedTensorImpl> impl_;
};
static_assert(sizeof(Tensor) == sizeof(void*));

template <class F>
unsigned Tensor::register_hook(F&& hook) const {
  if constexpr (std::is_void_v<std::invoke_result_t<F&, Tensor>>) {
    return _register_hook([hook = std::forward<F>(hook)](const Tensor& grad) mutable {
      hook(grad);
      return Tensor();
    });
  } else {
    return _register_hook([hook = std::forward<F>(hook)](const Tensor& grad) mutable { return Tensor(hook(grad)); });
  }
}

inline Tensor operator+(const Tensor& a, const Tensor& b) { return a.add(b); }
inline Tensor operator+(const Tensor& a, const Scalar& b) { return a.add(b); }
inline Tensor operator+(const Scalar& a, const Tensor& b) { return b.add(a); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return a.sub(b); }
inline Tensor operator-(const Tensor& a, const Scalar& b) { return a.sub(b); }
inline Tensor operator-(const Scalar& a, const Tensor& b) { return b.neg().add(a); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return a.mul(b); }
inline Tensor operator*(const Tensor& a, const Scalar& b) { return a.mul(b); }
inline Tensor operator*(const Scalar& a, const Tensor& b) { return b.mul(a); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return a.div(b); }
inline Tensor operator/(const Tensor& a, const Scalar& b) { return a.div(b); }
inline Tensor operator/(const Scalar& a, const Tensor& b) { return b.reciprocal().mul(a); }

namespace detail {
// Inlined, so that the constructor sees the constants among its arguments (a dispatch key, mostly).
template <class Impl = TensorImpl, class... Args>
[[gnu::always_inline]] inline Tensor make_tensor(Args&&... args) {
  return Tensor(intrusive_ptr<TensorImpl, UndefinedTensorImpl>::adopt_new(new Impl(std::forward<Args>(args)...)));
}
}  // namespace detail

// d in [-dim, dim) -> [0, dim); a scalar counts as one dimension. Throws IndexError naming `op`.
int64_t maybe_wrap_dim(int64_t d, int64_t dim, const char* op);

std::string to_string(const Tensor& t);  // values (at most 6 at each end of a dimension), then [CPUFloatType{2,64}]
std::ostream& operator<<(std::ostream& out, const Tensor& t);

}  // namespace gb
