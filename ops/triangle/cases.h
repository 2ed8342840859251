// The calls of tril and triu that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> triangle_cases() {
  std::vector<OpCase> cases;
  for (const std::string name : {"aten::tril", "aten::triu"}) {
    cases.push_back(op(name).on(input({3, 4})).also_half());
    cases.push_back(op(name, "batches").on(input({2, 4, 3}), 1));
    cases.push_back(op(name, "transposed").on(input({3, 4}).transposed(), -1));
    cases.push_back(op(name, "stepped").on(input({3, 3}).stepped(), 1));
    cases.push_back(op(name, "expanded").on(input({3, 4}).expanded()));
    cases.push_back(op(name, "empty").on(input({2, 0, 3})));
    cases.push_back(op(name, "bools").on(integers({3, 3}, 0, 1, kBool)));
    cases.push_back(op(name, "beyond").on(input({2, 2}), 99));
    cases.push_back(op(name, "far below").on(input({2, 2}), -99));
    cases.push_back(op(name, "one dimension").on(input({3})).throws());
    cases.push_back(op(name + "_").on(input({3, 4})));
    cases.push_back(op(name + "_", "transposed").on(input({2, 3, 3}).transposed(), 1));
    cases.push_back(op(name + "_", "one dimension").on(input({3})).throws());
  }
  return cases;
}

}  // namespace gb::tests
