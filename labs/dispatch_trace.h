// Way 1: which kernels a call of linear(x, W, b) reaches, and why; then what it left on the tape.
#pragma once

#include "nn/grammar/model.h"

namespace gb::labs {

void show_dispatch_trace(const nn::grammar::LmHead& head, const nn::grammar::Example& example);

}  // namespace gb::labs
