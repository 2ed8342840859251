// Everything a program needs: tensors, operators, autograd, custom operators, compile. Link with //:glassbox.
// To register operators and kernels, dispatcher/library.h is enough.
#pragma once

#include "autograd/autograd.h"
#include "autograd/function.h"
#include "autograd/inference_mode.h"
#include "autograd/tape.h"
#include "compile/compile.h"
#include "core/context.h"
#include "core/device_hooks.h"
#include "core/tensor.h"
#include "dispatcher/dispatch_mode.h"
#include "dispatcher/library.h"
#include "kernels/cuda/backends.h"
#include "library/custom_op.h"
#include "library/gradcheck.h"
#include "library/modes/checking.h"
#include "library/modes/flop_counter_mode.h"
#include "library/modes/logging_mode.h"
#include "library/modes/memory_mode.h"
#include "library/modes/profiler_mode.h"
#include "library/opcheck.h"
#include "ops/ops.h"
