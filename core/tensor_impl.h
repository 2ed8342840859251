// TensorImpl: what a Tensor points to: a strided view of a Storage, its dispatch keys, and its place on the tape.
//
//   element (i, j, ...) lies at  storage + (storage_offset + i*stride(0) + j*stride(1) + ...) * itemsize
//
// Invariants: sizes are never negative; numel and is_contiguous agree with sizes and strides; the key set never
// changes after construction (but for taking the autograd keys off); views of one base share its version counter.
// Names follow c10/core/TensorImpl.h. Layout: docs/en/theory/00-motivation.md#tensors.
#pragma once

#include <memory>
#include <optional>

#include "core/array_ref.h"
#include "core/autograd_state.h"
#include "core/dispatch_key_set.h"
#include "core/sizes_and_strides.h"
#include "core/storage.h"
#include "core/type_meta.h"
#include "core/version_counter.h"

namespace gb {

class Tensor;
struct TensorImpl;

namespace detail {
[[noreturn]] void throw_too_many_elements(IntArrayRef sizes);
}
// The number of elements of a tensor of these sizes. Throws ValueError where it does not fit an int64_t.
inline int64_t numel_of(IntArrayRef sizes) {
  int64_t n = 1;
  bool overflow = false;
  for (int64_t size : sizes) {
    if (size == 0) return 0;  // whatever the other sizes are
    overflow |= __builtin_mul_overflow(n, size, &n);
  }
  if (overflow) [[unlikely]]
    detail::throw_too_many_elements(sizes);
  return n;
}

// What autograd hangs on a tensor: made only for a tensor that takes part in a graph (autograd/autograd_meta.h).
struct AutogradMetaInterface {
  virtual ~AutogradMetaInterface() = default;
  virtual void set_requires_grad(bool requires_grad, TensorImpl* self) = 0;
  virtual bool requires_grad() const = 0;
  virtual Tensor& mutable_grad() = 0;
  virtual const Tensor& grad() const = 0;
};

namespace impl {
// autograd/ says how to make one, so that core/ need not know the type.
struct AutogradMetaFactory {
  virtual ~AutogradMetaFactory() = default;
  virtual std::unique_ptr<AutogradMetaInterface> make() const = 0;
};
void SetAutogradMetaFactory(AutogradMetaFactory* factory);
AutogradMetaFactory* GetAutogradMetaFactory();  // throws where no autograd/ is linked
}  // namespace impl

struct TensorImpl : public intrusive_ptr_target, public Recycled<TensorImpl> {
  enum ImplType { VIEW };

  // Both add to `key_set` the autograd keys and ADInplaceOrView (not in inference mode) and the autocast key.
  TensorImpl(Storage&& storage, DispatchKeySet key_set, TypeMeta dtype)
      : storage_(std::move(storage)),
        key_set_(with_functionalities(key_set)),
        version_counter_(first_version(key_set_)),
        dtype_(dtype),
        device_(storage_.device()) {}
  TensorImpl(DispatchKeySet key_set, TypeMeta dtype, std::optional<Device> device);
  TensorImpl(Storage&& storage, DispatchKey key, TypeMeta dtype)
      : TensorImpl(std::move(storage), DispatchKeySet(key), dtype) {}
  TensorImpl(DispatchKey key, TypeMeta dtype, std::optional<Device> device)
      : TensorImpl(DispatchKeySet(key), dtype, device) {}
  // A second tensor over the storage of `base`, whose keys, dtype and device are taken as they are: a view of an
  // inference tensor is one too. Its geometry is still to be set; its version counter is its own.
  TensorImpl(ImplType, const TensorImpl& base)
      : storage_(base.storage_),
        key_set_(base.key_set_),
        version_counter_(first_version(key_set_)),
        dtype_(base.dtype_),
        device_(base.device_) {}
  ~TensorImpl() override;
  TensorImpl(const TensorImpl&) = delete;
  TensorImpl& operator=(const TensorImpl&) = delete;

  DispatchKeySet key_set() const { return key_set_; }
  IntArrayRef sizes() const { return sizes_and_strides_.sizes_arrayref(); }
  IntArrayRef strides() const { return sizes_and_strides_.strides_arrayref(); }
  int64_t dim() const { return static_cast<int64_t>(sizes_and_strides_.size()); }
  int64_t numel() const { return numel_; }
  bool is_contiguous() const { return is_contiguous_; }
  const Storage& storage() const { return storage_; }
  int64_t storage_offset() const { return storage_offset_; }
  TypeMeta dtype() const { return dtype_; }
  Device device() const { return device_; }
  void* data() const {  // of the first element; null when there is no memory
    char* bytes = static_cast<char*>(storage_.mutable_data());
    return bytes ? bytes + storage_offset_ * static_cast<int64_t>(dtype_.itemsize()) : nullptr;
  }

  void set_sizes_contiguous(IntArrayRef sizes) { set_sizes_contiguous(sizes, numel_of(sizes)); }
  void set_sizes_contiguous(IntArrayRef sizes, int64_t numel) {  // `numel` is their product, as the caller knows already
    sizes_and_strides_.set_sizes_contiguous(sizes);
    numel_ = numel;
    is_contiguous_ = true;
  }
  void set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides, std::optional<int64_t> storage_offset = {});
  void set_storage_keep_dtype(Storage storage) { storage_ = std::move(storage); }  // its geometry is to be set next
  void set_storage_offset(int64_t offset) { storage_offset_ = offset; }
  // For kernels that have computed a shape already: takes it over without a second check.
  void adopt_geometry(const impl::SizesAndStrides& geometry, int64_t storage_offset);
  const impl::SizesAndStrides& geometry() const { return sizes_and_strides_; }

  const VariableVersion& version_counter() const { return version_counter_; }
  void set_version_counter(VariableVersion counter) { version_counter_ = std::move(counter); }
  void bump_version(uint32_t writer = kUnknownWriter) { version_counter_.bump(writer); }
  bool is_inference() const { return is_inference(key_set_); }

  AutogradMetaInterface* autograd_meta() const { return autograd_meta_.get(); }
  void set_autograd_meta(std::unique_ptr<AutogradMetaInterface> meta) { autograd_meta_ = std::move(meta); }
  bool requires_grad() const { return autograd_meta_ && autograd_meta_->requires_grad(); }
  void set_requires_grad(bool requires_grad);
  Tensor& mutable_grad();
  const Tensor& grad() const;
  void remove_autograd_key() { key_set_ = key_set_ - autograd_dispatch_keyset; }

  // A Python-number-like operand: takes part in type promotion by kind only.
  bool is_wrapped_number() const { return is_wrapped_number_; }
  void set_wrapped_number(bool v) { is_wrapped_number_ = v; }

  // The same view of the same storage, with no autograd meta and the given counter.
  virtual intrusive_ptr<TensorImpl> shallow_copy_and_detach(const VariableVersion& counter) const;
  // Becomes a tensor over the storage of `source`, with its geometry, dtype and keys. History and version stay.
  void shallow_copy_from(const TensorImpl& source);

 protected:
  void release_resources() override;  // only weak pointers are left: storage and tape go
  friend struct UndefinedTensorImpl;
  struct undefined_tag {};
  explicit TensorImpl(undefined_tag);

  static bool is_inference(DispatchKeySet ks) { return !ks.has_any(DispatchKeySet(DispatchKey::ADInplaceOrView)); }
  static VariableVersion first_version(DispatchKeySet ks) { return is_inference(ks) ? VariableVersion() : VariableVersion(0); }
  static DispatchKeySet with_functionalities(DispatchKeySet ks);

  void refresh_numel_and_contiguity();
  void copy_geometry(const TensorImpl& source);

  Storage storage_;
  DispatchKeySet key_set_;
  int64_t storage_offset_ = 0;
  int64_t numel_ = 0;
  impl::SizesAndStrides sizes_and_strides_;
  std::unique_ptr<AutogradMetaInterface> autograd_meta_;
  VariableVersion version_counter_;
  TypeMeta dtype_;
  Device device_;
  bool is_contiguous_ = true;
  bool is_wrapped_number_ = false;
};

inline DispatchKeySet TensorImpl::with_functionalities(DispatchKeySet ks) {
  constexpr DispatchKeySet kAutocast(DispatchKey::AutocastFunctionality);
  if (detail::autograd_tls.inference_mode) return ks | kAutocast;
  constexpr DispatchKeySet kAutogradAndView(
      {DispatchKey::AutogradFunctionality, DispatchKey::ADInplaceOrView, DispatchKey::AutocastFunctionality});
  constexpr DispatchKeySet kNoBackend({DispatchKey::AutogradOther, DispatchKey::ADInplaceOrView});
  return ks | (ks.highestBackendKey() != BackendComponent::InvalidBit ? kAutogradAndView : kNoBackend);
}

// What an undefined Tensor points to: no keys, no dtype, no elements. One object, never counted.
struct UndefinedTensorImpl final : public TensorImpl {
  static TensorImpl* singleton() { return &singleton_; }

 private:
  UndefinedTensorImpl() : TensorImpl(undefined_tag{}) {}
  static UndefinedTensorImpl singleton_;
};

}  // namespace gb
