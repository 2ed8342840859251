#include "nn/serialize/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/autograd_state.h"
#include "core/error.h"
#include "nn/serialize/atomic_file.h"
#include "nn/serialize/safetensors_header.h"
#include "ops/factories/factories.h"

namespace gb::nn {
namespace {

[[noreturn]] void cannot_read(const std::string& path) {
  GB_THROW(Error, .what = fmt::format("load: cannot read {}: {}", path, std::strerror(errno)),
           .cause = "the system refused", .repair = "look at the path and its rights", .chapter = chapters::kGrammar);
}

std::string read_bytes(std::ifstream& file, uint64_t n, const std::string& path) {
  std::string bytes(n, '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(n))) cannot_read(path);
  return bytes;
}

// A byte that is neither 0 nor 1 is no bool to C++.
void check_bools(const Tensor& tensor, const std::string& name) {
  const auto* bytes = static_cast<const unsigned char*>(tensor.const_data_ptr());
  GB_CHECK_OR_THROW(std::all_of(bytes, bytes + tensor.nbytes(), [](unsigned char byte) { return byte <= 1; }), ValueError,
                    .what = fmt::format("safetensors: tensor '{}' holds a bool that is neither 0 nor 1", name),
                    .cause = "one byte is one bool", .repair = "the file was damaged: write it again",
                    .chapter = chapters::kGrammar);
}

}  // namespace

void save_file(const TensorDict& tensors, const std::string& path, const Metadata& metadata) {
  NoGradGuard unrecorded;
  for (const auto& item : tensors) {
    GB_CHECK_OR_THROW(item->defined() && item.key() != "__metadata__", ValueError,
                      .what = fmt::format("save: tensor '{}' {}", item.key(),
                                          item->defined() ? "has the name of the metadata" : "is undefined"),
                      .cause = "each entry of a file is a tensor under a name of its own",
                      .repair = "leave it out, or rename it", .chapter = chapters::kGrammar);
  }
  SafetensorsHeader header{{}, metadata};
  std::vector<Tensor> contiguous;
  for (const auto& item : tensors) {
    header.entries.push_back({item.key(), item->scalar_type(), item->sizes().vec(), contiguous.size(), 0});
    contiguous.push_back(item->cpu().contiguous());
  }
  // Wide dtypes first, so that each tensor lies at a multiple of its element's size.
  std::stable_sort(header.entries.begin(), header.entries.end(), [](const auto& a, const auto& b) {
    return elementSize(a.dtype) > elementSize(b.dtype);
  });
  std::vector<std::string_view> parts(1);
  uint64_t at = 0;
  for (SafetensorsEntry& entry : header.entries) {
    const Tensor& tensor = contiguous[entry.begin];  // until here, its place in `tensors`
    parts.emplace_back(static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes());
    entry.begin = at;
    entry.end = at += tensor.nbytes();
  }
  const std::string head = format_header(header);
  parse_header(std::string_view(head).substr(8), at);  // what is saved can be loaded: refuses names that are not UTF-8
  parts[0] = head;
  write_file_atomically(path, parts);
}

TensorFile load_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) cannot_read(path);
  const std::streamoff end = file.tellg();
  file.seekg(0);
  if (end < 0 || !file) cannot_read(path);
  const uint64_t file_bytes = static_cast<uint64_t>(end);
  const uint64_t length = header_length(read_bytes(file, std::min<uint64_t>(8, file_bytes), path), file_bytes);
  const SafetensorsHeader header = parse_header(read_bytes(file, length, path), file_bytes - 8 - length);
  TensorFile found;
  found.metadata = header.metadata;
  for (const SafetensorsEntry& entry : header.entries) {
    const Tensor tensor = empty(entry.sizes, entry.dtype);
    const auto bytes = static_cast<std::streamsize>(entry.end - entry.begin);
    if (bytes > 0 && !file.read(static_cast<char*>(tensor.mutable_data_ptr()), bytes)) cannot_read(path);
    if (entry.dtype == kBool) check_bools(tensor, entry.name);
    found.tensors.insert(entry.name, tensor);
  }
  return found;
}

void copy_into(const TensorDict& tensors, const TensorDict& into) {
  const auto check = [](bool ok, std::string what, std::string cause, const char* repair) {
    GB_CHECK_OR_THROW(ok, ValueError, .what = std::move(what), .cause = std::move(cause), .repair = repair,
                      .chapter = chapters::kGrammar);
  };
  const char* kSameModule = "load into a module made with the same options";
  for (const auto& item : into) {
    check(tensors.contains(item.key()), fmt::format("load: Missing key '{}'", item.key()),
          fmt::format("the file holds {} tensors of other names", tensors.size()), kSameModule);
  }
  for (const auto& item : tensors) {
    const Tensor* target = into.find(item.key());
    check(target, fmt::format("load: Unexpected key '{}'", item.key()), "the module has no tensor of that name", kSameModule);
    check(target->sizes() == item->sizes(), fmt::format("load: size mismatch for '{}'", item.key()),
          fmt::format("the file has {}, the module {}", to_string(item->sizes()), to_string(target->sizes())), kSameModule);
    check(target->scalar_type() == item->scalar_type(), fmt::format("load: dtype mismatch for '{}'", item.key()),
          fmt::format("the file has {}, the module {}", toString(item->scalar_type()), toString(target->scalar_type())),
          "make or convert the module to that dtype first");
  }
  NoGradGuard unrecorded;
  for (const auto& item : into) item->copy_(tensors[item.key()]);
}

TensorDict state_dict(const Module& module) {
  TensorDict state = module.named_parameters();
  state.update(module.named_buffers());
  return state;
}

}  // namespace gb::nn

namespace gb {

void save(const nn::Module& module, const std::string& path) { nn::save_file(nn::state_dict(module), path); }

void load(nn::Module& module, const std::string& path) {
  nn::copy_into(nn::load_file(path).tensors, nn::state_dict(module));
}

}  // namespace gb
