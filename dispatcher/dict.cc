#include "dispatcher/dict.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb::detail {
namespace {

void check_key(const IValue& key) {
  GB_CHECK_OR_THROW(
      key.isScalar() || key.isString() || key.isTensor() || key.isDevice(), TypeError,
      .what = fmt::format("Dict: a {} is no key", key.tagKind()),
      .cause = "a key must not change once it is in the dictionary, and this kind of value can, or has no hash",
      .repair = "use an int, bool, float, str, Device or Tensor as the key", .chapter = chapters::kDispatch);
}

}  // namespace

std::pair<DictImpl::Entries::iterator, bool> DictImpl::insert(IValue key, IValue value, bool overwrite) {
  check_key(key);
  const Entries::iterator known = find(key);
  if (known != entries.end()) {
    if (overwrite) known->value = std::move(value);
    return {known, false};
  }
  const Entries::iterator added = entries.insert(entries.end(), {key, std::move(value)});
  index.emplace(std::move(key), added);
  return {added, true};
}

DictImpl::Entries::iterator DictImpl::find(const IValue& key) {
  const auto at = index.find(key);
  return at == index.end() ? entries.end() : at->second;
}

const IValue& DictImpl::at(const IValue& key) {
  const Entries::iterator entry = find(key);
  GB_CHECK_OR_THROW(entry != entries.end(), IndexError, .what = "Dict: the key is not there",
                    .cause = fmt::format("key {} of {} entries", to_string(key), entries.size()),
                    .repair = "ask contains() or find() first", .chapter = chapters::kDispatch);
  return entry->value;
}

void DictImpl::erase(Entries::iterator entry) {
  index.erase(entry->key);
  entries.erase(entry);
}

void DictImpl::clear() {
  index.clear();
  entries.clear();
}

intrusive_ptr<DictImpl> DictImpl::copy() const {
  auto made = make_intrusive<DictImpl>(keyType, valueType);
  for (const Entry& entry : entries) made->insert(entry.key, entry.value, false);
  return made;
}

bool DictImpl::equals(const DictImpl& other) const {
  if (entries.size() != other.entries.size()) return false;
  for (const Entry& entry : entries) {
    const auto at = other.index.find(entry.key);
    if (at == other.index.end() || !(at->second->value == entry.value)) return false;
  }
  return true;
}

void check_dict_types(const DictImpl& impl, const Type& key, const Type& value) {
  const auto fits = [](const Type& wanted, const Type& there) {
    return wanted.kind() == TypeKind::AnyType || wanted.equals(there);
  };
  GB_CHECK_OR_THROW(
      fits(key, *impl.keyType) && fits(value, *impl.valueType), TypeError,
      .what = fmt::format("IValue: expected a `Dict({}, {})` but got a `Dict({}, {})`", key.str(), value.str(),
                          impl.keyType->str(), impl.valueType->str()),
      .cause = fmt::format("the dict has {} entries; a Dict shares them, so they cannot be converted",
                           impl.entries.size()),
      .repair = "make the dict with the right types", .chapter = chapters::kDispatch);
}

}  // namespace gb::detail
