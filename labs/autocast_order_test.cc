#include "labs/autocast_order.h"

#include <doctest/doctest.h>

TEST_CASE("autocast above autograd, and a cast below it") {
  CHECK(gb::labs::show_autocast_order() ==
        R"(linear(x, W, b) with its product in bfloat16; x, W and b are float32 leaves

== cast above autograd (autocast) ==

  call aten::linear => AutocastCPU
    call aten::to.dtype => AutogradCPU
      call aten::_to_copy => AutogradCPU
        redispatch aten::_to_copy => CPU
          call aten::copy_ => CPU
    call aten::to.dtype => AutogradCPU
      call aten::_to_copy => AutogradCPU
        redispatch aten::_to_copy => CPU
          call aten::copy_ => CPU
    call aten::to.dtype => AutogradCPU
      call aten::_to_copy => AutogradCPU
        redispatch aten::_to_copy => CPU
          call aten::copy_ => CPU
    call aten::linear => AutogradCPU
      call aten::t => AutogradCPU
        redispatch aten::t => ADInplaceOrView
          redispatch aten::t => CPU
      call aten::addmm => AutogradCPU
        redispatch aten::addmm => CPU

AddmmBackward0 #4
  saved mat1: BFloat16 [2, 3], version 0
  saved mat2: BFloat16 [3, 4], version 0
  saved beta = 1
  saved alpha = 1
  saved self_sizes = [4]
  -> ToCopyBackward0 #0 input 0
  -> ToCopyBackward0 #2 input 0
  -> TBackward0 input 0
TBackward0 #3
  -> ToCopyBackward0 #1 input 0
ToCopyBackward0 #2
  -> AccumulateGrad (x) input 0
AccumulateGrad (x)
  leaf Float [2, 3]
ToCopyBackward0 #1
  -> AccumulateGrad (W) input 0
AccumulateGrad (W)
  leaf Float [4, 3]
ToCopyBackward0 #0
  -> AccumulateGrad (b) input 0
AccumulateGrad (b)
  leaf Float [4]

== cast below autograd (a mode that casts) ==

  call aten::linear => AutogradCPU
    call aten::t => AutogradCPU
      redispatch aten::t => ADInplaceOrView
        redispatch aten::t => Python
          redispatchBoxed aten::t => CPU
    call aten::addmm => AutogradCPU
      redispatch aten::addmm => Python
        call aten::to.dtype => CPU
          call aten::_to_copy => CPU
            call aten::copy_ => CPU
        call aten::to.dtype => CPU
          call aten::_to_copy => CPU
            call aten::copy_ => CPU
        call aten::to.dtype => CPU
          call aten::_to_copy => CPU
            call aten::copy_ => CPU
        redispatchBoxed aten::addmm => CPU

AddmmBackward0 #6
  saved mat1: x, Float [2, 3], version 0
  saved mat2: Float [3, 4], version 0
  saved beta = 1
  saved alpha = 1
  saved self_sizes = [4]
  -> AccumulateGrad (b) input 0
  -> AccumulateGrad (x) input 0
  -> TBackward0 input 0
AccumulateGrad (b)
  leaf Float [4]
AccumulateGrad (x)
  leaf Float [2, 3]
TBackward0 #5
  -> AccumulateGrad (W) input 0
AccumulateGrad (W)
  leaf Float [4, 3]

== side by side ==

output                  above: BFloat16
                        below: BFloat16
saved for backward      above: mat1 BFloat16, mat2 BFloat16
                        below: mat1 Float, mat2 Float
nodes for the casts     above: 3
                        below: 0
backward, as usual      above: dx Float, dW Float, db Float
                        below: error: gb::mm: expected mat1 and mat2 to have the same dtype, but got: BFloat16 != float
backward, casts on      above: dx Float, dW Float, db Float
                        below: dx Float, dW Float, db Float
)");
}
