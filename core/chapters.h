// Where an error message sends its reader.
//
// Every gb::Error ends with the place in the documentation that explains the rule which was broken. The places are
// named here once; //tests:docs_test checks that each file and each anchor exists.
#pragma once

namespace gb::chapters {

inline constexpr const char* kTensors = "docs/en/theory/00-motivation.md#tensors";
inline constexpr const char* kDispatch = "docs/en/theory/01-dispatcher-and-aten.md#dispatch";
inline constexpr const char* kAutograd = "docs/en/theory/02-autograd-engine.md#tape";
inline constexpr const char* kCustomOps = "docs/en/theory/01-dispatcher-and-aten.md#custom-operators";
inline constexpr const char* kCompile = "docs/en/theory/00-motivation.md#compile";
inline constexpr const char* kKernels = "docs/en/theory/04-kernels.md#kernels";
inline constexpr const char* kGrammar = "docs/en/theory/00-motivation.md#grammar";
inline constexpr const char* kDebugger = "docs/en/theory/00-motivation.md#debugger";

}  // namespace gb::chapters
