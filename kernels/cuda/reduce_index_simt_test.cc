// Reductions and index kernels on the host, in three thread orders: the reductions' barriers are checked by
// these.
#include "kernels/cuda/cases/along_cases.h"
#include "kernels/cuda/cases/host_machine.h"
#include "kernels/cuda/cases/reduce_index_cases.h"

using namespace gb::cuda;

TEST_CASE("reduce on the host") { cases::in_three_orders(cases::reduce_cases); }
TEST_CASE("column sums on the host") { cases::in_three_orders(cases::column_sums_cases); }
TEST_CASE("extrema, topk, cumsum on the host") { cases::in_three_orders(cases::along_cases); }
TEST_CASE("find_bad_index, gather, scatter_add, embedding on the host") {
  cases::in_three_orders(cases::index_cases);
}
