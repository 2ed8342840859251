#include "tests/op_cases.h"

#include "ops/activations/cases.h"
#include "ops/addc/cases.h"
#include "ops/addmm/cases.h"
#include "ops/arithmetic/cases.h"
#include "ops/as_strided/cases.h"
#include "ops/attention/cases.h"
#include "ops/bmm/cases.h"
#include "ops/comparison/cases.h"
#include "ops/copy/cases.h"
#include "ops/dropout/cases.h"
#include "ops/embedding/cases.h"
#include "ops/expand/cases.h"
#include "ops/extrema/cases.h"
#include "ops/factories/cases.h"
#include "ops/gather/cases.h"
#include "ops/index_select/cases.h"
#include "ops/join/cases.h"
#include "ops/layer_norm/cases.h"
#include "ops/linear/cases.h"
#include "ops/lm_head/cases.h"
#include "ops/loss/cases.h"
#include "ops/matmul/cases.h"
#include "ops/mm/cases.h"
#include "ops/norm/cases.h"
#include "ops/one_hot/cases.h"
#include "ops/pointwise/cases.h"
#include "ops/pow/cases.h"
#include "ops/random/cases.h"
#include "ops/rearrange/cases.h"
#include "ops/reductions/cases.h"
#include "ops/scan/cases.h"
#include "ops/set/cases.h"
#include "ops/softmax/cases.h"
#include "ops/split/cases.h"
#include "ops/statistics/cases.h"
#include "ops/t/cases.h"
#include "ops/topk/cases.h"
#include "ops/triangle/cases.h"
#include "ops/unary/cases.h"
#include "ops/view/cases.h"
#include "ops/views/cases.h"
#include "tests/in_place_cases.h"

namespace gb::tests {

const std::vector<OpCase>& all_op_cases() {
  static const std::vector<OpCase> all = [] {
    std::vector<OpCase> cases;
    for (auto* list : {activations_cases,
                       addc_cases,
                       addmm_cases,
                       arithmetic_cases,
                       as_strided_cases,
                       attention_cases,
                       bmm_cases,
                       comparison_cases,
                       copy_cases,
                       dropout_cases,
                       embedding_cases,
                       expand_cases,
                       extrema_cases,
                       factories_cases,
                       gather_cases,
                       in_place_arithmetic_cases,
                       in_place_copy_cases,
                       index_select_cases,
                       join_cases,
                       layer_norm_cases,
                       linear_cases,
                       lm_head_cases,
                       loss_cases,
                       matmul_cases,
                       mm_cases,
                       norm_cases,
                       one_hot_cases,
                       pointwise_cases,
                       pow_cases,
                       random_cases,
                       rearrange_cases,
                       reductions_cases,
                       scan_cases,
                       set_cases,
                       softmax_cases,
                       split_cases,
                       statistics_cases,
                       t_cases,
                       topk_cases,
                       triangle_cases,
                       unary_cases,
                       view_cases,
                       views_cases})
      for (OpCase& one : list()) cases.push_back(std::move(one));
    return cases;
  }();
  return all;
}

std::string describe(const OpCase& op_case, ScalarType dtype) {
  return op_case.title() + ", " + toString(dtype);
}

}  // namespace gb::tests
