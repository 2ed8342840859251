// AliasInfo: the annotation `(a!)` of a schema type: which memory a value may share, and whether the operator
// writes it.
//
//   Tensor(a)        in alias set a              Tensor(a!)        and written
//   Tensor(a|b)      in a or b                   Tensor(*)         may share with anything (wildcard)
//   Tensor(a -> b)   in a before the call, in b after it           Tensor(a! -> a|b)  both
//   Tensor(a!)[]     the annotation stands on the element (containedTypes); the list itself counts as written
//
// Names follow ATen/core/alias_info.h.
#pragma once

#include <iosfwd>
#include <string>
#include <unordered_set>
#include <vector>

#include "dispatcher/symbol.h"

namespace gb {

class AliasInfo {
 public:
  using Sets = std::unordered_set<Symbol>;

  AliasInfo() = default;
  AliasInfo(bool is_write, Sets before, Sets after, std::vector<AliasInfo> contained = {})
      : before_(std::move(before)),
        after_(std::move(after)),
        contained_(std::move(contained)),
        is_write_(is_write) {}

  static Symbol wildcardSet();  // alias::*
  bool isWrite() const { return is_write_; }
  void setIsWrite(bool is_write) { is_write_ = is_write; }
  void addBeforeSet(Symbol set) { before_.insert(set); }
  void addAfterSet(Symbol set) { after_.insert(set); }
  void addContainedType(AliasInfo info) { contained_.push_back(std::move(info)); }
  const Sets& beforeSets() const { return before_; }
  const Sets& afterSets() const { return after_; }
  Symbol beforeSet() const;  // the only one; throws when there is not exactly one
  bool isWildcardBefore() const { return before_.count(wildcardSet()) != 0; }
  bool isWildcardAfter() const { return after_.count(wildcardSet()) != 0; }
  const std::vector<AliasInfo>& containedTypes() const { return contained_; }

  friend bool operator==(const AliasInfo& a, const AliasInfo& b) {
    return a.is_write_ == b.is_write_ && a.before_ == b.before_ && a.after_ == b.after_ &&
           a.contained_ == b.contained_;
  }

 private:
  Sets before_, after_;
  std::vector<AliasInfo> contained_;
  bool is_write_ = false;
};

std::string to_string(const AliasInfo& info);  // "(a!)", "(a -> *)"; "" when it has no sets
std::ostream& operator<<(std::ostream& out, const AliasInfo& info);

}  // namespace gb
