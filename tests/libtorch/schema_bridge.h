// What LibTorch 2.11 says of its own schemas. No LibTorch type appears here.
#pragma once

#include <string>
#include <vector>

namespace gb::tests::libtorch {

struct SchemaFacts {  // texts made by schema_facts.h
  std::string text;         // as LibTorch prints it
  std::string annotations;
  std::string memory;       // what FunctionSchema says of it
  std::string info;         // what SchemaInfo says without values
  std::string info_shared;  // and when every argument of type Tensor is given one and the same tensor
};

// Of every operator that this LibTorch registers, sorted by text.
std::vector<SchemaFacts> all_schema_facts();

}  // namespace gb::tests::libtorch
