#include "tools/gb_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/error.h"
#include "dispatcher/dispatcher.h"
#include "dispatcher/schema_parser.h"

namespace gb::tools {
namespace {

DispatchKeySet keys_of_a_plain_tensor(DeviceType device) {
  return DispatchKeySet({dense_key(device), DispatchKey::ADInplaceOrView, DispatchKey::AutogradFunctionality,
                         DispatchKey::AutocastFunctionality});
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t from = 0; from <= text.size();) {
    const size_t to = std::min(text.find(',', from), text.size());
    parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

DispatchKeySet key_of(const std::string& word) {
  const DispatchKey key = parseDispatchKey(word);
  GB_CHECK_OR_THROW(!isAliasDispatchKey(key), ValueError, .what = "explain: " + word + " is an alias",
                    .cause = "a kernel may be registered for it, but no tensor carries it",
                    .repair = "name the keys of the arguments: CPU, AutogradCPU, ...",
                    .chapter = chapters::kDispatch);
  return DispatchKeySet(key);
}

// The tensor arguments of `op`, the last one as often as asked where it is a list.
std::vector<std::string> tensor_names(const OperatorHandle& op, size_t asked) {
  std::vector<std::string> names;
  bool list = false;
  for (const Argument& a : op.schema().arguments()) {
    const std::string type = a.real_type()->str();
    if (!type.starts_with("Tensor")) continue;
    names.push_back(a.name());
    list = type.find('[') != std::string::npos;
  }
  GB_CHECK_OR_THROW(asked <= names.size() || list, ValueError,
                    .what = fmt::format("explain: {} tensors given, {} has {} tensor argument(s)", asked,
                                        toString(op.operator_name()), names.size()),
                    .cause = "the schema is " + toString(op.schema()),
                    .repair = "give one word per tensor argument", .chapter = chapters::kDispatch);
  while (names.size() < asked) names.push_back(names.back());
  return names;
}

}  // namespace

bool Line::has(const std::string& flag) const {
  return std::any_of(flags.begin(), flags.end(), [&](const auto& f) { return f.first == flag; });
}

std::vector<std::string> Line::values(const std::string& flag) const {
  std::vector<std::string> found;
  for (const auto& [name, value] : flags) {
    if (name == flag) found.push_back(value);
  }
  return found;
}

OperatorHandle find_operator(const std::string& text) {
  OperatorName name = jit::parseName(text);
  name.setNamespaceIfNotSet("aten");
  return Dispatcher::singleton().findSchemaOrThrow(name.name.c_str(), name.overload_name.c_str());
}

DispatchKeySet parse_keys(const std::string& text) {
  DispatchKeySet keys;
  for (const std::string& word : split(text)) keys = keys | key_of(word);
  return keys;
}

std::vector<ArgumentKeys> parse_arguments(const OperatorHandle& op, const std::vector<std::string>& words) {
  std::vector<ArgumentKeys> tensors;
  for (const std::string& word : words) {
    DispatchKeySet keys;  // of one tensor
    for (const std::string& part : split(word)) {
      if (part == "none") continue;
      if (!part.empty() && std::islower(static_cast<unsigned char>(part[0]))) {
        tensors.push_back({"arguments", keys_of_a_plain_tensor(Device(part).type())});
      } else {
        keys = keys | key_of(part);
      }
    }
    if (!keys.empty()) tensors.push_back({"arguments", keys});
  }
  if (tensors.size() < 2) return tensors;
  const std::vector<std::string> names = tensor_names(op, tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) tensors[i].name = names[i];
  return tensors;
}

ThreadState::ThreadState(const Line& line) {
  if (line.has("--inference")) inference_.emplace();
  if (line.has("--below-autograd")) below_autograd_.emplace();
  if (line.has("--mode")) mode_guard_.emplace(&mode_);
  impl::LocalDispatchKeySet tls = impl::tls_local_dispatch_key_set();
  if (line.has("--autocast")) tls.excluded_ = tls.excluded_ - autocast_dispatch_keyset;
  for (const std::string& keys : line.values("--include")) tls.included_ = tls.included_ | parse_keys(keys);
  for (const std::string& keys : line.values("--exclude")) tls.excluded_ = tls.excluded_ | parse_keys(keys);
  keys_.emplace(tls);
}

}  // namespace gb::tools
