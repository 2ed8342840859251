#include "autograd/validate_outputs.h"

#include <fmt/format.h>

#include "autograd/operators.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

std::string author(const Node* from) { return from ? from->name() : "the caller of backward"; }

[[gnu::noinline]] void fit(const Edge& edge, size_t i, Tensor& grad, const Node* from) {
  const InputMetadata& wanted = edge.function->input_metadata(edge.input_nr);
  if (!wanted.is_defined()) return;
  GB_CHECK_OR_THROW(
      wanted.is_same_shape(grad) || wanted.is_expandable_to_shape(grad), Error,
      .what = fmt::format("backward: {} returned an invalid gradient at index {} - got {} but expected shape "
                          "compatible with {}",
                          author(from), i, to_string(grad.sizes()), to_string(wanted.sizes())),
      .cause = fmt::format("it goes to input {} of {}, whose forward value has sizes {}", edge.input_nr,
                           edge.function->name(), to_string(wanted.sizes())),
      .repair = "return a gradient of the shape of the forward value", .chapter = chapters::kAutograd);
  GB_CHECK_OR_THROW(
      grad.device() == wanted.device(), Error,
      .what =
          fmt::format("backward: {} returned an invalid gradient at index {} - expected device {} but got {}",
                      author(from), i, wanted.device().str(), grad.device().str()),
      .cause = fmt::format("it goes to input {} of {}", edge.input_nr, edge.function->name()),
      .repair = "return a gradient on the device of the forward value", .chapter = chapters::kAutograd);
  GB_CHECK_OR_THROW(
      isFloatingType(grad.scalar_type()), Error,
      .what = fmt::format(
          "backward: {} returned an invalid gradient at index {} - expected a floating dtype but got {}",
          author(from), i, toString(grad.scalar_type())),
      .cause = fmt::format("it goes to input {} of {}, which has dtype {}", edge.input_nr,
                           edge.function->name(), toString(wanted.dtype().toScalarType())),
      .repair = "return a gradient of the dtype of the forward value", .chapter = chapters::kAutograd);
  if (!wanted.is_same_shape(grad)) grad = wanted.reduce_grad(grad);
  if (grad.dtype() != wanted.dtype()) grad = ops::to_dtype(grad, wanted.dtype().toScalarType());
}

}  // namespace

void validate_outputs(const edge_list& edges, variable_list& grads, const Node* from) {
  GB_CHECK_OR_THROW(
      grads.size() == edges.size(), Error,
      .what = fmt::format("backward: {} returned an invalid number of gradients - expected {} but got {}",
                          author(from), edges.size(), grads.size()),
      .cause = "a node returns one gradient per differentiable input of its forward call",
      .repair = "return an undefined Tensor where there is no gradient", .chapter = chapters::kAutograd);
  for (size_t i = 0; i < edges.size(); ++i) {
    if (!edges[i].is_valid() || !grads[i].defined()) continue;
    const InputMetadata& wanted = edges[i].function->input_metadata(edges[i].input_nr);
    if (wanted.is_same_shape(grads[i]) && grads[i].dtype() == wanted.dtype() &&
        grads[i].device() == wanted.device()) [[likely]]
      continue;
    fit(edges[i], i, grads[i], from);
  }
}

}  // namespace gb::autograd
