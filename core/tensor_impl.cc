#include "core/tensor_impl.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/tensor.h"

namespace gb {
namespace {

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

// Errors that hot functions may throw are made in functions of their own: the strings of a message cost a caller its
// registers and a stack check, also when nothing is thrown.
[[gnu::cold]] void detail::throw_too_many_elements(IntArrayRef sizes) {
  GB_THROW(ValueError, .what = "numel: integer multiplication overflow",
           .cause = fmt::format("sizes {} hold more than 2^63 - 1 elements", to_string(sizes)),
           .repair = "use smaller sizes", .chapter = chapters::kTensors);
}

TensorImpl::TensorImpl(DispatchKeySet key_set, TypeMeta dtype, std::optional<Device> device)
    : key_set_(with_functionalities(key_set)),
      version_counter_(first_version(key_set_)),
      dtype_(dtype),
      device_(device ? *device : device_of(key_set)) {}

TensorImpl::TensorImpl(undefined_tag) : device_(kCPU) {}

TensorImpl::~TensorImpl() = default;

void TensorImpl::release_resources() {
  autograd_meta_.reset();
  storage_ = Storage();
}

UndefinedTensorImpl UndefinedTensorImpl::singleton_;

void TensorImpl::refresh_numel_and_contiguity() {
  const int64_t *sizes = sizes_and_strides_.sizes_data(), *strides = sizes_and_strides_.strides_data();
  bool contiguous = true, overflow = false;
  int64_t numel = 1;
  for (size_t d = sizes_and_strides_.size(); d-- > 0;) {
    if (sizes[d] == 1) continue;  // the stride of a dimension of one element is never used
    contiguous &= strides[d] == numel;
    overflow |= __builtin_mul_overflow(numel, sizes[d], &numel);
  }
  numel_ = overflow ? numel_of(this->sizes()) : numel;  // numel_of: 0, or an error
  is_contiguous_ = contiguous || numel_ == 0;
}

void TensorImpl::set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides, std::optional<int64_t> storage_offset) {
  GB_CHECK_OR_THROW(sizes.size() == strides.size(), ValueError,
                    .what = "set_sizes_and_strides: sizes and strides differ in length",
                    .cause = fmt::format("sizes {}, strides {}", to_string(sizes), to_string(strides)),
                    .repair = "give one stride per dimension", .chapter = chapters::kTensors);
  numel_of(sizes);  // throws where it does not fit
  sizes_and_strides_.set_sizes(sizes);
  sizes_and_strides_.set_strides(strides);
  if (storage_offset) storage_offset_ = *storage_offset;
  refresh_numel_and_contiguity();
}

void TensorImpl::adopt_geometry(const impl::SizesAndStrides& geometry, int64_t storage_offset) {
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
  auto copy = make_intrusive<TensorImpl>(VIEW, *this);
  copy->version_counter_ = counter;
  copy->copy_geometry(*this);
  return copy;
}

void TensorImpl::shallow_copy_from(const TensorImpl& source) {
  storage_ = source.storage_;
  key_set_ = source.key_set_;
  dtype_ = source.dtype_;
  device_ = source.device_;
  copy_geometry(source);
}

void TensorImpl::copy_geometry(const TensorImpl& source) {
  sizes_and_strides_ = source.sizes_and_strides_;
  storage_offset_ = source.storage_offset_;
  numel_ = source.numel_;
  is_contiguous_ = source.is_contiguous_;
  is_wrapped_number_ = source.is_wrapped_number_;
}

}  // namespace gb
