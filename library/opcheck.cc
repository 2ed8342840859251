#include "library/opcheck.h"

#include <fmt/format.h>

#include <cstring>
#include <map>

#include "core/autograd_state.h"
#include "core/device_hooks.h"
#include "core/error.h"
#include "dispatcher/local_dispatch_key_set.h"
#include "library/schema_check_mode.h"
#include "ops/common/empty.h"

namespace gb {
namespace {

struct OpcheckFailure : Error {
  using Error::Error;
};

// Applies `f` to every tensor of a value.
template <class F>
IValue map_tensors(const IValue& v, F&& f) {
  if (v.isTensor()) return v.toTensor().defined() ? IValue(f(v.toTensor())) : v;
  if (v.isTensorList()) {
    std::vector<Tensor> mapped;
    for (const Tensor& t : v.toTensorVector()) mapped.push_back(t.defined() ? f(t) : t);
    return IValue(mapped);
  }
  return v;
}

// Copies of the arguments in which what shared storage still does.
class Copier {
 public:
  Tensor operator()(const Tensor& t) {
    Storage& copy = storages_[t.storage().unsafeGetStorageImpl()];
    if (!copy) copy = duplicate(t);
    const DispatchKeySet key(dense_key(t.device().type()));
    Tensor result = detail::make_tensor(Storage(copy), key, t.dtype());
    result.unsafeGetTensorImpl()->set_sizes_and_strides(t.sizes(), t.strides(), t.storage_offset());
    if (t.requires_grad()) result.requires_grad_();
    return result;
  }

 private:
  static Storage duplicate(const Tensor& t) {
    const size_t nbytes = t.storage().nbytes();
    if (t.is_meta()) {
      return empty_on(t.device(), {static_cast<int64_t>(nbytes / t.itemsize())}, t.scalar_type()).storage();
    }
    Storage copy(Storage::use_byte_size_t(), nbytes, allocator_for(t.device()));
    if (nbytes == 0) return copy;
    if (t.is_cpu())
      std::memcpy(copy.mutable_data(), t.storage().data(), nbytes);
    else
      device_hooks(t.device().type())
          ->copy(copy.mutable_data(), t.device(), t.storage().data(), t.device(), nbytes);
    return copy;
  }
  std::map<StorageImpl*, Storage> storages_;
};

Stack copy_of(const Stack& args) {
  Copier copier;
  Stack copies;
  for (const IValue& v : args) copies.push_back(map_tensors(v, copier));
  return copies;
}

std::vector<Tensor> tensors_in(const Stack& values) {
  std::vector<Tensor> found;
  for (const IValue& v : values) map_tensors(v, [&](const Tensor& t) { return found.push_back(t), t; });
  return found;
}

bool any_requires_grad(const Stack& values) {
  for (const Tensor& t : tensors_in(values)) {
    if (t.requires_grad()) return true;
  }
  return false;
}

void test_schema(const OperatorHandle& op, const Stack& args) {
  SchemaCheckMode mode;
  Stack stack = copy_of(args);
  const DispatchModeGuard guard(&mode);
  op.callBoxed(stack);
}

// Returns why it was skipped, or nothing.
std::string test_autograd_registration(const OperatorHandle& op, const Stack& args) {
  if (!any_requires_grad(args)) return "no argument requires grad";
  for (const DispatchKey k :
       {DispatchKey::Autograd, DispatchKey::CompositeImplicitAutograd, DispatchKey::AutogradCPU,
        DispatchKey::AutogradCUDA, DispatchKey::AutogradMeta, DispatchKey::AutogradPrivateUse1}) {
    if (op.hasKernelForDispatchKey(k)) return "";
  }
  // Go past the autograd key, as if it were a fallthrough, with recording still on for what the kernel calls.
  Stack stack = copy_of(args);
  const DispatchKeySet ks = op.entry().computeDispatchKeySet(op.entry().keysetBoxed(stack));
  op.redispatchBoxed(ks & after_autograd_keyset, &stack);
  GB_CHECK_OR_THROW(
      !any_requires_grad(stack), OpcheckFailure,
      .what = "incorrectly registered an autograd kernel to a non-Autograd DispatchKey",
      .cause = "with no kernel at an autograd key, an output requires grad: the kernel below records",
      .repair = "register the gradient with register_autograd, or the kernel at CompositeImplicitAutograd",
      .chapter = chapters::kCustomOps);
  return "";
}

void compare_fake(const Tensor& fake, const Tensor& real, const std::string& which) {
  const auto check = [&](bool same, const char* what, const std::string& f, const std::string& r) {
    GB_CHECK_OR_THROW(same, OpcheckFailure,
                      .what = fmt::format("fake kernel disagrees with the real one: {} of {}", what, which),
                      .cause = fmt::format("fake {}, real {}", f, r),
                      .repair = "make register_fake's function return what the forward returns",
                      .chapter = chapters::kCustomOps);
  };
  const auto yes_no = [](bool b) { return std::string(b ? "a tensor" : "undefined"); };
  check(fake.defined() == real.defined(), "presence", yes_no(fake.defined()), yes_no(real.defined()));
  if (!fake.defined()) return;
  check(fake.scalar_type() == real.scalar_type(), "dtype", toString(fake.scalar_type()),
        toString(real.scalar_type()));
  check(fake.sizes() == real.sizes(), "sizes", to_string(fake.sizes()), to_string(real.sizes()));
  check(fake.strides() == real.strides(), "strides", to_string(fake.strides()), to_string(real.strides()));
  check(fake.storage_offset() == real.storage_offset(), "storage offset",
        std::to_string(fake.storage_offset()), std::to_string(real.storage_offset()));
  check(fake.is_meta(), "device (a fake tensor must be on meta)", fake.device().str(), real.device().str());
}

void test_faketensor(const OperatorHandle& op, const Stack& args) {
  const NoGradGuard no_grad;
  Stack real = copy_of(args), fake;
  for (const IValue& v : args) {
    fake.push_back(map_tensors(v, [](const Tensor& t) {
      return empty_strided_on(Device(kMeta), t.sizes(), t.strides(), t.scalar_type());
    }));
  }
  op.callBoxed(real);
  op.callBoxed(fake);
  for (size_t o = 0; o < op.schema().returns().size(); ++o) {
    const std::vector<Tensor> r = tensors_in({real[o]}), f = tensors_in({fake[o]});
    GB_CHECK_OR_THROW(
        r.size() == f.size(), OpcheckFailure,
        .what = fmt::format("fake kernel disagrees with the real one: number of tensors in output {}", o),
        .cause = fmt::format("fake {}, real {}", f.size(), r.size()),
        .repair = "make register_fake's function return what the forward returns",
        .chapter = chapters::kCustomOps);
    for (size_t i = 0; i < r.size(); ++i) {
      compare_fake(f[i], r[i],
                   r.size() == 1 ? fmt::format("output {}", o) : fmt::format("output {}[{}]", o, i));
    }
  }
}

template <class Test>
OpcheckResult run(const char* name, Test&& test) {
  OpcheckResult result{name, OpcheckResult::kPassed, ""};
  try {
    result.message = test();
    if (!result.message.empty()) result.outcome = OpcheckResult::kSkipped;
  } catch (const Error& e) {
    result.outcome = OpcheckResult::kFailed;
    result.message = e.msg();
  }
  return result;
}

}  // namespace

std::vector<OpcheckResult> opcheck_report(const OperatorHandle& op, const std::vector<IValue>& given) {
  Stack args = given;
  op.schema().checkAndNormalizeInputs(args);
  const AutoGradMode grad_on(true);
  return {
      run("test_schema", [&] { return test_schema(op, args), std::string(); }),
      run("test_autograd_registration", [&] { return test_autograd_registration(op, args); }),
      run("test_faketensor", [&] { return test_faketensor(op, args), std::string(); }),
  };
}

std::vector<OpcheckResult> opcheck(const OperatorHandle& op, const std::vector<IValue>& args) {
  std::vector<OpcheckResult> results = opcheck_report(op, args);
  for (const OpcheckResult& r : results) {
    if (r.outcome != OpcheckResult::kFailed) continue;
    // The failure's own message has the other three parts.
    throw Error(GB_SOURCE_LOCATION(), fmt::format("opcheck({}, ...): {} failed with {}",
                                                  toString(op.operator_name()), r.test, r.message));
  }
  return results;
}

std::string to_string(const OpcheckResult& r) {
  switch (r.outcome) {
    case OpcheckResult::kPassed:
      return r.test + ": passed";
    case OpcheckResult::kFailed:
      return fmt::format("{}: failed with {}", r.test, r.message);
    case OpcheckResult::kSkipped:
      return fmt::format("{}: skipped ({})", r.test, r.message);
  }
  return r.test;
}

}  // namespace gb
