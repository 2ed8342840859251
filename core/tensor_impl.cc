#include "core/tensor_impl.h"

#include <fmt/format.h>

#include "core/autograd_state.h"
#include "core/error.h"
#include "core/tensor.h"

namespace gb {
namespace {

DispatchKeySet with_functionalities(DispatchKeySet ks) {
  constexpr DispatchKeySet kAutocast(DispatchKey::AutocastFunctionality);
  if (detail::autograd_tls.inference_mode) return ks | kAutocast;
  constexpr DispatchKeySet kAutogradAndView(
      {DispatchKey::AutogradFunctionality, DispatchKey::ADInplaceOrView, DispatchKey::AutocastFunctionality});
  constexpr DispatchKeySet kNoBackend({DispatchKey::AutogradOther, DispatchKey::ADInplaceOrView});
  return ks | (ks.highestBackendKey() != BackendComponent::InvalidBit ? kAutogradAndView : kNoBackend);
}

Device device_of(DispatchKeySet ks) {
  const BackendComponent backend = ks.highestBackendKey();
  if (backend == BackendComponent::InvalidBit) return Device(kCPU);
  const DeviceType type = toDeviceType(backend);
  return Device(type, type == kCUDA || type == kPrivateUse1 ? 0 : -1);
}

impl::AutogradMetaFactory* g_factory = nullptr;

}  // namespace

namespace impl {
void SetAutogradMetaFactory(AutogradMetaFactory* factory) { g_factory = factory; }
AutogradMetaFactory* GetAutogradMetaFactory() {
  GB_CHECK_OR_THROW(g_factory, NotImplementedError, .what = "requires_grad: this program has no autograd",
                    .cause = "it is linked with core/ alone", .repair = "depend on //:glassbox",
                    .chapter = chapters::kAutograd);
  return g_factory;
}
}  // namespace impl

int64_t numel_of(IntArrayRef sizes) {
  int64_t n = 1;
  bool overflow = false;
  for (int64_t size : sizes) {
    if (size == 0) return 0;  // whatever the other sizes are
    overflow |= __builtin_mul_overflow(n, size, &n);
  }
  GB_CHECK_OR_THROW(!overflow, ValueError, .what = "numel: integer multiplication overflow",
                    .cause = fmt::format("sizes {} hold more than 2^63 - 1 elements", to_string(sizes)),
                    .repair = "use smaller sizes", .chapter = chapters::kTensors);
  return n;
}

TensorImpl::TensorImpl(Storage&& storage, DispatchKeySet key_set, TypeMeta dtype)
    : storage_(std::move(storage)), key_set_(with_functionalities(key_set)), dtype_(dtype), device_(storage_.device()) {
  if (!is_inference()) version_counter_ = VariableVersion(0);
}

TensorImpl::TensorImpl(DispatchKeySet key_set, TypeMeta dtype, std::optional<Device> device)
    : key_set_(with_functionalities(key_set)), dtype_(dtype), device_(device ? *device : device_of(key_set)) {
  if (!is_inference()) version_counter_ = VariableVersion(0);
}

TensorImpl::TensorImpl(undefined_tag) : device_(kCPU) {}

TensorImpl::~TensorImpl() = default;

void TensorImpl::release_resources() {
  autograd_meta_.reset();
  storage_ = Storage();
}

UndefinedTensorImpl UndefinedTensorImpl::singleton_;

void TensorImpl::refresh_numel_and_contiguity() {
  is_contiguous_ = true;
  int64_t expected = 1;
  for (size_t d = sizes_and_strides_.size(); d-- > 0;) {
    const int64_t size = sizes_and_strides_.size_at_unchecked(d);
    if (size != 1) {  // the stride of a dimension of one element is never used
      is_contiguous_ &= sizes_and_strides_.stride_at_unchecked(d) == expected;
      expected *= size;
    }
  }
  is_contiguous_ |= numel_ == 0;
}

void TensorImpl::set_sizes_contiguous(IntArrayRef sizes) {
  numel_ = numel_of(sizes);
  sizes_and_strides_.set_sizes(sizes);
  sizes_and_strides_.set_contiguous_strides();
  is_contiguous_ = true;
}

void TensorImpl::set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides, std::optional<int64_t> storage_offset) {
  GB_CHECK_OR_THROW(sizes.size() == strides.size(), ValueError,
                    .what = "set_sizes_and_strides: sizes and strides differ in length",
                    .cause = fmt::format("sizes {}, strides {}", to_string(sizes), to_string(strides)),
                    .repair = "give one stride per dimension", .chapter = chapters::kTensors);
  numel_ = numel_of(sizes);
  sizes_and_strides_.set_sizes(sizes);
  sizes_and_strides_.set_strides(strides);
  if (storage_offset) storage_offset_ = *storage_offset;
  refresh_numel_and_contiguity();
}

void TensorImpl::adopt_geometry(const impl::SizesAndStrides& geometry, int64_t storage_offset) {
  numel_ = numel_of(geometry.sizes_arrayref());
  sizes_and_strides_ = geometry;
  storage_offset_ = storage_offset;
  refresh_numel_and_contiguity();
}

void TensorImpl::set_requires_grad(bool requires_grad) {
  if (!requires_grad && !autograd_meta_) return;
  if (!autograd_meta_) autograd_meta_ = impl::GetAutogradMetaFactory()->make();
  autograd_meta_->set_requires_grad(requires_grad, this);
}

Tensor& TensorImpl::mutable_grad() {
  GB_CHECK_OR_THROW(this != UndefinedTensorImpl::singleton(), ValueError,
                    .what = "mutable_grad: an undefined tensor has no grad", .cause = "the tensor was never given a value",
                    .repair = "make the tensor first, for example with gb::zeros", .chapter = chapters::kAutograd);
  if (!autograd_meta_) autograd_meta_ = impl::GetAutogradMetaFactory()->make();
  return autograd_meta_->mutable_grad();
}

const Tensor& TensorImpl::grad() const {
  if (autograd_meta_) return autograd_meta_->grad();
  static const Tensor undefined;
  return undefined;
}

intrusive_ptr<TensorImpl> TensorImpl::shallow_copy_and_detach(const VariableVersion& counter) const {
  auto copy = storage_ ? make_intrusive<TensorImpl>(Storage(storage_), key_set_, dtype_)
                       : make_intrusive<TensorImpl>(key_set_, dtype_, device_);
  copy->key_set_ = key_set_;  // a copy made outside inference mode of an inference tensor is still one
  copy->version_counter_ = counter;
  copy->device_ = device_;
  copy->sizes_and_strides_ = sizes_and_strides_;
  copy->storage_offset_ = storage_offset_;
  copy->numel_ = numel_;
  copy->is_contiguous_ = is_contiguous_;
  copy->is_wrapped_number_ = is_wrapped_number_;
  return copy;
}

uint32_t VariableVersion::current_version() const {
  GB_CHECK_OR_THROW(enabled(), Error, .what = "Inference tensors do not track version counter",
                    .cause = "the tensor was made in inference mode", .repair = "clone it outside of inference mode",
                    .chapter = chapters::kAutograd);
  return counter_->value.load(std::memory_order_relaxed);
}

}  // namespace gb
