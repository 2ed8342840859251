#include "bench/where.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace gb::bench {
namespace {

struct Part {
  const char* name;
  std::initializer_list<const char*> words;  // a function whose name contains one of them
};

// The first part that fits takes the function.
const std::initializer_list<Part> kParts = {
    {"malloc and free",
     {"malloc", "free_perturb", "alloc_perturb", "_int_free", "operator new", "operator delete",
      "unlink_chunk", "memalign", "cfree"}},
    {"allocator above malloc",
     {"alloc_cpu", "free_cpu", "CPUAllocator", "CPUMemoryReporter", "memoryProfiling", "DebugInfo",
      "tls_debug_info", "NUMA", "GetAllocator", "compute_alignment", "CachingAllocator", "Recycled"}},
    {"finding thread-local variables", {"__tls_get_addr"}},
    {"observers (RecordFunction)", {"getStepCallbacks", "RecordFunction"}},
    {"TensorIterator", {"TensorIterator", "OperandInfo", "original_options"}},
    {"the kernel's arithmetic",
     {"VectorizedLoop", "add_kernel", "float_row", "binary_row", "DispatchStub", "function_ref",
      "noop_kernel"}},
    {"autograd and views",
     {"torch::autograd", "gb::autograd", "VariableType", "ADInplaceOrView", "DispatchKeyGuard", "GradMode",
      "AutogradState", "InferenceMode", "AutogradMeta", "fw_grad"}},
    {"dispatch",
     {"_ops::", "OperatorEntry", "DispatchKeySet::", "wrap_kernel_functor", "BackendSelect",
      "computeDispatchKey", "SelectedKernel", "gb::empty(", "gb::Tensor::add(", "gb::Tensor::view(", "_op()",
      "call(", "SymInt", "IntArrayRefSlow"}},
    {"tensor, storage, counters",
     {"TensorImpl", "StorageImpl", "VersionCounter", "VariableVersion", "intrusive_ptr", "make_tensor",
      "SmallVector"}},
    {"sizes and strides",
     {"view", "computeStride", "alias_with_sizes", "computeStorageNbytes", "check_size", "SizesAndStrides",
      "names", "empty", "binary_op", "meta::", "set_output", "wrapper_CPU", "add_cpu"}},
};

std::map<std::string, double> by_part(const Count& count) {
  std::map<std::string, double> parts;
  for (const auto& [function, instructions] : count.functions) parts[part_of(function)] += instructions;
  return parts;
}

}  // namespace

std::string part_of(const std::string& function) {
  if (function == "free") return kParts.begin()->name;
  for (const Part& part : kParts)
    for (const char* word : part.words)
      if (function.find(word) != std::string::npos) return part.name;
  return "other";
}

std::string parts_table(const Count& ours, const Count& peer, double calls, const std::string& peer_name) {
  const std::map<std::string, double> our_parts = by_part(ours), peer_parts = by_part(peer);
  std::map<std::string, std::pair<double, double>> both;
  for (const auto& [part, instructions] : our_parts) both[part].first = instructions / calls;
  for (const auto& [part, instructions] : peer_parts) both[part].second = instructions / calls;
  std::vector<std::pair<std::string, std::pair<double, double>>> rows(both.begin(), both.end());
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return a.second.second > b.second.second; });
  std::string text = fmt::format("| part | {} | glassbox |\n|---|---|---|\n", peer_name);
  for (const auto& [part, cost] : rows)
    if (cost.first >= 0.5 || cost.second >= 0.5)
      text += fmt::format("| {} | {:.0f} | {:.0f} |\n", part, cost.second, cost.first);
  return text + fmt::format("| together, the measuring loop included | {:.0f} | {:.0f} |\n",
                            peer.total / calls, ours.total / calls);
}

}  // namespace gb::bench
