// Lowerings of the view operators: no code. The fake result says which sizes, strides and offset the view
// has.
#include "compile/lowering/registry.h"

namespace gb::compiler {
namespace {

LoweringResult lower_view(LoweringContext& ctx) { return {{ctx.view(0)}}; }

// as_strided counts an explicit offset from the start of the storage, which a fake does not know of.
LoweringResult lower_as_strided(LoweringContext& ctx) {
  if (!ctx.constant_arg(3).isNone())
    return ctx.decline("its storage_offset counts from the start of the real storage");
  return lower_view(ctx);
}

const LoweringRegistration kLowerings[] = {
    register_lowering("aten::t", lower_view),
    register_lowering("aten::transpose.int", lower_view),
    register_lowering("aten::unsqueeze", lower_view),
    register_lowering("aten::squeeze.dim", lower_view),
    register_lowering("aten::view", lower_view),
    register_lowering("aten::_unsafe_view", lower_view),
    register_lowering("aten::_reshape_alias", lower_view),
    register_lowering("aten::expand", lower_view),
    register_lowering("aten::detach", lower_view),
    register_lowering("aten::as_strided", lower_as_strided),
};

}  // namespace
}  // namespace gb::compiler
