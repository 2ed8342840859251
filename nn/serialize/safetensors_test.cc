#include "nn/serialize/safetensors.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "nn/embedding.h"
#include "nn/linear.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using gb::tests::contains;
using gb::tests::message_of;
using gb::tests::values;

namespace {

using Names = std::vector<std::string>;

std::string path_of(const char* name) { return std::string(std::getenv("TEST_TMPDIR")) + "/" + name; }
std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}
void write(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

struct ModelImpl : nn::Module {
  ModelImpl() {
    table = register_module("table", nn::Embedding(5, 3));
    head = register_module("head", nn::Linear(3, 5));
    seen = register_buffer("seen", zeros({1}, kLong));
  }
  nn::Embedding table = nullptr;
  nn::Linear head = nullptr;
  Tensor seen;
};
GB_MODULE(Model);

}  // namespace

TEST_CASE("the file of two small tensors, byte by byte") {
  const std::string path = path_of("tiny.safetensors");
  nn::save_file({{"on", tensor({true, false})}, {"w", tensor({{1.5, -2.0}}, kFloat)}}, path, {{"step", "7"}});
  const std::string header =
      R"({"__metadata__":{"step":"7"},"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)"
      R"("on":{"dtype":"BOOL","shape":[2],"data_offsets":[8,10]}})";
  const std::string spaces((8 - header.size() % 8) % 8, ' ');
  std::string expected(1, static_cast<char>(header.size() + spaces.size()));
  expected += std::string(7, '\0') + header + spaces;
  expected += std::string("\0\0\xc0\x3f\0\0\0\xc0\x01\0", 10);
  CHECK(bytes_of(path) == expected);
}

TEST_CASE("every dtype and shape comes back") {
  const Tensor grid = tests::ramp({3, 4});
  nn::TensorDict tensors{{"double", grid},
                         {"transposed", grid.t()},
                         {"scalar", tensor(2.5)},
                         {"none", empty({0, 3})},
                         {"name with \"quotes\", é and \n", grid.to(kFloat)}};
  for (ScalarType dtype : {kFloat, kHalf, kBFloat16, kLong, kInt, kBool}) tensors.insert(toString(dtype), grid.to(dtype));
  const std::string path = path_of("all.safetensors");
  nn::save_file(tensors, path);
  const nn::TensorFile file = nn::load_file(path);
  CHECK(file.tensors.size() == tensors.size());
  CHECK(file.metadata.is_empty());
  for (const auto& item : tensors) {
    const Tensor& loaded = file.tensors[item.key()];
    CHECK((loaded.scalar_type() == item->scalar_type()));
    CHECK(loaded.sizes() == item->sizes());
    CHECK(values(loaded) == values(*item));
  }
  nn::save_file({}, path, {{"only", "metadata"}});
  CHECK(nn::load_file(path).tensors.is_empty());
  CHECK(nn::load_file(path).metadata["only"] == "metadata");
}

TEST_CASE("a module goes to a file and back, members and all") {
  const std::string path = path_of("model.safetensors");
  Model first, second;
  first->seen.fill_(9);
  save(first, path);
  CHECK(nn::load_file(path).tensors.size() == 4);
  load(second, path);
  CHECK(values(second->head->weight) == values(first->head->weight));
  CHECK(values(second->table->weight) == values(first->table->weight));
  CHECK(second->seen.item<int64_t>() == 9);
  CHECK(second->head->weight.requires_grad());
  CHECK(second->head->weight.is_leaf());
}

TEST_CASE("a file of another module is refused, and nothing is written") {
  const std::string path = path_of("other.safetensors");
  Model model;
  nn::TensorDict state = nn::state_dict(*model);
  const std::vector<double> before = values(model->head->weight);
  const auto refused = [&](const nn::TensorDict& tensors) {
    nn::save_file(tensors, path);
    return message_of([&] { load(model, path); });
  };
  nn::TensorDict changed;
  for (const auto& item : state) changed.insert(item.key(), zeros_like(*item));
  const auto but = [&](const char* key, const Tensor& t) {
    nn::TensorDict copy = changed;
    copy[key] = t;
    return copy;
  };
  nn::TensorDict less = changed, more = changed;
  less.erase("seen");
  more.insert("bias", zeros({1}));
  CHECK(contains(refused(less), "Missing key 'seen'"));
  CHECK(contains(refused(more), "Unexpected key 'bias'"));
  CHECK(contains(refused(but("head.bias", zeros({4}))), "size mismatch for 'head.bias'"));
  CHECK(contains(refused(but("head.bias", zeros({5}, kDouble))), "dtype mismatch for 'head.bias'"));
  CHECK(values(model->head->weight) == before);
  CHECK(refused(changed) == "");
  CHECK(values(model->head->weight) == std::vector<double>(15, 0));
}

TEST_CASE("what cannot be saved or read is refused") {
  const std::string path = path_of("bad.safetensors");
  CHECK(contains(message_of([&] { nn::save_file({{"a", Tensor()}}, path); }), "tensor 'a' is undefined"));
  CHECK(contains(message_of([&] { nn::save_file({{"__metadata__", ones({1})}}, path); }), "name of the metadata"));
  CHECK(contains(message_of([&] { nn::save_file({{"\xff", ones({1})}}, path); }), "not UTF-8"));
  CHECK(contains(message_of([&] { nn::load_file(path); }), "cannot read"));
  CHECK(contains(message_of([&] { nn::load_file(path_of("")); }), "cannot read"));
  CHECK(contains(message_of([&] { nn::save_file({}, path_of("no_such_folder/x")); }), "No such file or directory"));

  nn::save_file({{"on", tensor({true, false})}}, path);
  std::string bytes = bytes_of(path);
  bytes.back() = 2;
  write(path, bytes);
  CHECK(contains(message_of([&] { nn::load_file(path); }), "holds a bool that is neither 0 nor 1"));
  write(path, bytes.substr(0, bytes.size() - 1));
  CHECK(contains(message_of([&] { nn::load_file(path); }), "the file is cut short"));
}
