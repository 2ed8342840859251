#include "library/custom_op.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "core/error.h"

namespace gb {

struct CustomOpDef::State {
  // A kernel of register_kernel, in a Library of its own, so that it can be taken off.
  struct DeviceKernel {
    std::function<CppFunction()> make;
    Place at;
    std::optional<Library> registered;
  };
  // Ended in reverse: the schema goes last.
  std::string name;
  Place at;
  std::shared_ptr<const FunctionSchema> schema;
  Library library;
  std::optional<Library> fake_stand_in;  // until register_fake
  std::map<DeviceType, DeviceKernel> kernels;

  Library fragment(const Place& place) const {
    return Library(Library::FRAGMENT, std::string(*schema->getNamespace()), std::nullopt, place.file, place.line);
  }
  void enable(DeviceType device, DeviceKernel& kernel) {
    Library added = fragment(kernel.at);
    added.impl(name.c_str(), dense_key(device), kernel.make(), kernel.at.file, kernel.at.line);
    kernel.registered.emplace(std::move(added));
  }
};

CustomOpDef::CustomOpDef(const char* text, const FunctionSchema* inferred, const CustomOpOptions& options, Place at) {
  const auto schema = std::make_shared<const FunctionSchema>(detail::make_op_schema(text, inferred, options, at));
  const std::string name = toString(schema->operator_name());
  state_ = std::make_shared<State>(
      State{name,
            at,
            schema,
            Library(Library::FRAGMENT, std::string(*schema->getNamespace()), std::nullopt, at.file, at.line),
            {},
            {}});
  std::vector<Tag> tags = options.tags;
  tags.push_back(Tag::pt2_compliant_tag);
  state_->library.def(FunctionSchema(*schema), std::move(tags), at.file, at.line);
  register_inplace_or_view(state_->library, name.c_str(), at);
  state_->fake_stand_in.emplace(detail::fake_stand_in(handle(), at));
}

CustomOpDef::State& CustomOpDef::state() const {
  GB_CHECK_OR_THROW(state_, Error, .what = "CustomOpDef: this CustomOpDef was moved from",
                    .cause = "the operator belongs to the CustomOpDef that it was moved to",
                    .repair = "use that one, or copy instead of moving: copies are the same operator",
                    .chapter = chapters::kCustomOps);
  return *state_;
}

const std::string& CustomOpDef::name() const { return state().name; }
Library& CustomOpDef::library() const { return state().library; }
std::shared_ptr<const FunctionSchema> CustomOpDef::shared_schema() const { return state().schema; }

OperatorHandle CustomOpDef::handle() const {
  const OperatorName& name = state().schema->operator_name();
  return Dispatcher::singleton().findSchemaOrThrow(name.name.c_str(), name.overload_name.c_str());
}

void CustomOpDef::add_forward(CppFunction&& kernel, const Place& at) {
  detail::check_free("register_forward", handle(), DispatchKey::CompositeExplicitAutograd, at);
  library().impl(name().c_str(), DispatchKey::CompositeExplicitAutograd, std::move(kernel), at.file, at.line);
  detail::select_backend(library(), handle(), at);
}

void CustomOpDef::add_kernels(ArrayRef<DeviceType> devices, std::function<CppFunction()> make, const Place& at) {
  State& s = state();
  for (const DeviceType device : devices) {  // one that is switched off is there all the same
    const auto found = s.kernels.find(device);
    GB_CHECK_OR_THROW(
        found == s.kernels.end() || found->second.registered, Error,
        .what = fmt::format("register_kernel: the operator {} already has a kernel for {}, switched off", s.name,
                            toString(device)),
        .cause = fmt::format("registered at {}; the second: {}", to_string(found->second.at), to_string(at)),
        .repair = "switch it on with set_kernel_enabled", .chapter = chapters::kCustomOps);
  }
  detail::check_kernel_devices(handle(), devices, at);
  std::map<DeviceType, State::DeviceKernel> added;
  for (const DeviceType device : devices) s.enable(device, added[device] = {make, at, {}});
  detail::select_backend(s.library, handle(), at);
  s.kernels.merge(added);
}

void CustomOpDef::add_fake(CppFunction&& kernel, const Place& at) {
  State& s = state();
  const bool had_stand_in = s.fake_stand_in.has_value();
  s.fake_stand_in.reset();
  try {
    detail::register_fake(s.library, s.name.c_str(), std::move(kernel), at);
  } catch (...) {  // another signature, or made of other operators: as it was
    if (had_stand_in) s.fake_stand_in.emplace(detail::fake_stand_in(handle(), s.at));
    throw;
  }
}

KernelSwitch CustomOpDef::set_kernel_enabled(DeviceType device, bool enabled) {
  State& s = state();
  const auto found = s.kernels.find(device);
  GB_CHECK_OR_THROW(found != s.kernels.end(), ValueError,
                    .what = fmt::format("set_kernel_enabled: {} has no kernel for {}", s.name, toString(device)),
                    .cause = fmt::format("there are kernels for {}", handle().entry().listKernels()),
                    .repair = "name a device that was given to register_kernel", .chapter = chapters::kCustomOps);
  const auto set = [device](State& state, bool on) {
    State::DeviceKernel& kernel = state.kernels.at(device);
    if (on && !kernel.registered) state.enable(device, kernel);
    if (!on) kernel.registered.reset();
  };
  const bool before = found->second.registered.has_value();
  set(s, enabled);
  return KernelSwitch([state = std::weak_ptr(state_), before, set] {
    if (const auto alive = state.lock()) set(*alive, before);
  });
}

Stack CustomOpDef::call_boxed(Stack args) const {
  const OperatorHandle op = handle();
  op.schema().checkAndNormalizeInputs(args);
  op.callBoxed(args);
  return args;
}

std::string CustomOpDef::dump() const {
  const OperatorHandle op = handle();
  return fmt::format("{}{}", op.dumpState(), op.dumpComputedTable());
}

}  // namespace gb
