#include "library/register_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace gb::detail {
namespace {

bool is_device(const Type& type) {
  return type.kind() == TypeKind::DeviceObjType ||
         (type.kind() == TypeKind::OptionalType && is_device(*type.containedType(0)));
}

// The place of the argument that names the device; nothing where none does, or several could.
std::optional<size_t> device_argument(const FunctionSchema& schema) {
  std::optional<size_t> only;
  bool several = false;
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    const Argument& a = schema.arguments()[i];
    if (!is_device(*a.type())) continue;
    if (a.name() == "device") return i;
    several = only.has_value();
    only = i;
  }
  return several ? std::nullopt : only;
}

// The kernel at BackendSelect: boxed, so that it serves every signature.
struct SelectBackend {
  void operator()(const OperatorHandle& op, DispatchKeySet, Stack* stack) const {
    const IValue& argument = jit::peek(stack, index, op.schema().arguments().size());
    const Device device = argument.isNone() ? Device(kCPU) : argument.toDevice();
    const DispatchKey key = dense_key(device.type());
    GB_CHECK_OR_THROW(
        op.hasComputedKernelForDispatchKey(key), NotImplementedError,
        .what = fmt::format("{} does not have a kernel registered for {}", toString(op.operator_name()),
                            toString(device.type())),
        .cause = fmt::format("the argument `{}` is {}; there are kernels for {}", op.schema().arguments()[index].name(),
                             device.str(), op.entry().listKernels()),
        .repair = "use register_kernel for that device, or pass another device", .chapter = chapters::kCustomOps);
    op.redispatchBoxed(DispatchKeySet(key), stack);
  }
  size_t index;  // of the argument that names the device
};

}  // namespace

void check_kernel_devices(const OperatorHandle& op, ArrayRef<DeviceType> devices, const Place& at) {
  const std::string name = toString(op.operator_name());
  GB_CHECK_OR_THROW(!devices.empty(), ValueError,
                    .what = fmt::format("register_kernel: no device is named for {}", name),
                    .cause = "the list of devices is empty", .repair = "name one: kCPU, kCUDA, kPrivateUse1",
                    .chapter = chapters::kCustomOps);
  for (size_t i = 0; i < devices.size(); ++i) {
    GB_CHECK_OR_THROW(devices[i] != kMeta, ValueError,
                      .what = fmt::format("register_kernel: a kernel of {} for meta is a fake kernel", name),
                      .cause = "Meta tensors have no data", .repair = "use register_fake",
                      .chapter = chapters::kCustomOps);
    GB_CHECK_OR_THROW(std::find(devices.begin(), devices.begin() + i, devices[i]) == devices.begin() + i, ValueError,
                      .what = fmt::format("register_kernel: {} is named twice for {}", toString(devices[i]), name),
                      .cause = "one kernel per device", .repair = "name it once", .chapter = chapters::kCustomOps);
    check_free("register_kernel", op, dense_key(devices[i]), at);
  }
  GB_CHECK_OR_THROW(
      has_tensor_argument(op.schema()) || device_argument(op.schema()), ValueError,
      .what = "register_kernel: Functions without tensor inputs are required to have a `device: torch.device` argument",
      .cause = fmt::format("nothing says for which device a call is: {}", to_string(op.schema())),
      .repair = "add `Device device` to the schema (Device in C++), or register a forward for all devices",
      .chapter = chapters::kCustomOps);
}

void select_backend(Library& library, const OperatorHandle& op, const Place& at) {
  if (has_tensor_argument(op.schema()) || op.hasKernelForDispatchKey(DispatchKey::BackendSelect)) return;
  const std::optional<size_t> index = device_argument(op.schema());
  if (!index) return;
  library.impl(toString(op.operator_name()).c_str(), DispatchKey::BackendSelect,
               CppFunction::makeFromBoxedFunctor(std::make_unique<SelectBackend>(SelectBackend{*index})), at.file,
               at.line);
}

}  // namespace gb::detail
