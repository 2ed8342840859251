#include "ops/split/split.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]");
  m.def("split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]");
  m.def("split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]");
  m.def("chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]");
  m.def("unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]");
}

std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim) {
  GB_RETURN_CALL(split_op(), self, split_size, dim);
}
std::vector<Tensor> split(const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  GB_RETURN_CALL(split_sizes_op(), self, split_sizes, dim);
}
std::vector<Tensor> split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  GB_RETURN_CALL(split_with_sizes_op(), self, split_sizes, dim);
}
std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim) {
  GB_RETURN_CALL(chunk_op(), self, chunks, dim);
}
std::vector<Tensor> unbind(const Tensor& self, int64_t dim) { GB_RETURN_CALL(unbind_op(), self, dim); }

std::vector<Tensor> Tensor::split(int64_t split_size, int64_t dim) const {
  GB_RETURN_CALL(split_op(), *this, split_size, dim);
}
std::vector<Tensor> Tensor::split(IntArrayRef split_sizes, int64_t dim) const {
  GB_RETURN_CALL(split_sizes_op(), *this, split_sizes, dim);
}
std::vector<Tensor> Tensor::split_with_sizes(IntArrayRef split_sizes, int64_t dim) const {
  GB_RETURN_CALL(split_with_sizes_op(), *this, split_sizes, dim);
}
std::vector<Tensor> Tensor::chunk(int64_t chunks, int64_t dim) const {
  GB_RETURN_CALL(chunk_op(), *this, chunks, dim);
}
std::vector<Tensor> Tensor::unbind(int64_t dim) const { GB_RETURN_CALL(unbind_op(), *this, dim); }

}  // namespace gb
