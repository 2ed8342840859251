// Way 4: the head as generated code: captured, printed, fused, built, cached, guarded.
#pragma once

#include "library/custom_op.h"
#include "nn/grammar/model.h"

namespace gb::labs {

// `custom` is lynx_cortex::softmax: opaque to the compiler. A second model uses aten's softmax, which fuses.
void show_compiled_head(const nn::grammar::LmHead& head, const nn::grammar::Example& example, const CustomOpDef& custom);

}  // namespace gb::labs
