#include "compile/lowering/registry.h"

#include <map>
#include <mutex>

namespace gb::compiler {
namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::map<uint64_t, Lowering>> lowerings;  // per operator, by age
  uint64_t last_id = 0, version = 0;
};

// Never destroyed: registrations in static storage end after it would.
Registry& registry() {
  static Registry* r = new Registry;
  return *r;
}

}  // namespace

LoweringRegistration::LoweringRegistration(std::string op, Lowering lowering) : op_(std::move(op)) {
  const std::lock_guard lock(registry().mutex);
  id_ = ++registry().last_id;
  ++registry().version;
  registry().lowerings[op_].emplace(id_, std::move(lowering));
}

LoweringRegistration::~LoweringRegistration() {
  if (id_ == 0) return;  // moved from
  const std::lock_guard lock(registry().mutex);
  ++registry().version;
  registry().lowerings[op_].erase(id_);
}

std::optional<Lowering> find_lowering(const std::string& op) {
  const std::lock_guard lock(registry().mutex);
  const auto it = registry().lowerings.find(op);
  if (it == registry().lowerings.end() || it->second.empty()) return std::nullopt;
  return it->second.rbegin()->second;
}

uint64_t lowering_registry_version() {
  const std::lock_guard lock(registry().mutex);
  return registry().version;
}

}  // namespace gb::compiler
