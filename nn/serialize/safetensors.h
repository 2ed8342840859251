// Tensors in a file, in the safetensors format (safetensors_header.h has it in a picture): names, dtypes, shapes, data;
// nothing that runs. Python's `safetensors` reads and writes the same files.
//
// A file is checked as a whole before anything is made of it, and a module's tensors are written only when all of them
// fit. A save replaces the old file in one step (atomic_file.h). Strided, transposed and CUDA tensors are saved as what
// they hold, row by row.
#pragma once

#include <string>

#include "core/tensor.h"
#include "nn/module.h"
#include "nn/ordered_dict.h"

namespace gb::nn {

using TensorDict = OrderedDict<std::string, Tensor>;
using Metadata = OrderedDict<std::string, std::string>;

// Throws ValueError for an undefined tensor and for the name "__metadata__", Error where the system refuses.
void save_file(const TensorDict& tensors, const std::string& path, const Metadata& metadata = {});

struct TensorFile {
  TensorDict tensors;  // as they lie in the file: wide dtypes first
  Metadata metadata;
};
// Throws ValueError for a file that is damaged, cut short or of another format, Error for one that cannot be read.
TensorFile load_file(const std::string& path);

// Writes `tensors` into the tensors of `into` that have their names. Throws ValueError, with nothing written: a missing
// or an unexpected name, another shape, another dtype.
void copy_into(const TensorDict& tensors, const TensorDict& into);

// Parameters, then buffers, by name.
TensorDict state_dict(const Module& module);

}  // namespace gb::nn

namespace gb {

// A module's parameters and buffers, to a file and back. load throws as load_file and copy_into do.
void save(const nn::Module& module, const std::string& path);
void load(nn::Module& module, const std::string& path);
template <class Impl>
void save(const nn::ModuleHolder<Impl>& module, const std::string& path) {
  save(*module, path);
}
template <class Impl>
void load(const nn::ModuleHolder<Impl>& module, const std::string& path) {
  load(*module, path);
}

}  // namespace gb
