#include "library/op_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/error.h"

namespace gb {
namespace {

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", name);
  return "[" + text + "]";
}

std::vector<std::string> written_in(const FunctionSchema& schema) {
  std::vector<std::string> written;
  for (const Argument& a : schema.arguments()) {
    if (a.is_write()) written.push_back(a.name());
  }
  return written;
}

bool same_names(std::vector<std::string> a, std::vector<std::string> b) {
  std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end());
  return a == b;
}

// `Tensor?[]` with the annotation where schemas have it: `Tensor(a0!)?[]`.
std::string annotated(const std::string& type, size_t index) {
  constexpr std::string_view tensor = "Tensor";
  return fmt::format("Tensor(a{}!){}", index, type.substr(tensor.size()));
}

FunctionSchema infer(const std::string& name, const FunctionSchema& from, const CustomOpOptions& options) {
  const size_t n = from.arguments().size();
  const std::vector<std::string>& names = options.argument_names;
  GB_CHECK_OR_THROW(
      names.empty() || names.size() == n, ValueError,
      .what = fmt::format("custom_op: argument_names of {} are not as many as its arguments", name),
      .cause = fmt::format("{} names, and the forward takes {} arguments: {}", names.size(), n, to_string(from)),
      .repair = "name every argument, or none", .chapter = chapters::kCustomOps);
  std::vector<Argument> arguments;
  for (size_t i = 0; i < n; ++i) {
    const Argument& a = from.arguments()[i];
    arguments.emplace_back(names.empty() ? a.name() : names[i], a.real_type());
  }
  const FunctionSchema plain(name, "", std::move(arguments), from.returns());  // checks the names
  const std::vector<std::string> written = options.mutates_args.of(plain);
  if (written.empty()) return plain;
  // Written as text and parsed, so that there is one way in which annotations come to be.
  std::string text;
  for (size_t i = 0; i < n; ++i) {
    const Argument& a = plain.arguments()[i];
    const bool is_written = std::count(written.begin(), written.end(), a.name()) != 0;
    const std::string type = a.real_type()->str();
    text += fmt::format("{}{} {}", i ? ", " : "", is_written ? annotated(type, i) : type, a.name());
  }
  const std::string printed = to_string(plain);
  return jit::parseSchema(fmt::format("{}({}){}", name, text, printed.substr(printed.rfind(" -> "))));
}

FunctionSchema from_name(const OperatorName& name, const FunctionSchema* inferred, const CustomOpOptions& options) {
  GB_CHECK_OR_THROW(
      inferred, ValueError,
      .what = fmt::format("custom_op: {} has neither a schema nor a forward to infer one from", toString(name)),
      .cause = "a name alone says nothing of the arguments",
      .repair = "write the schema out, \"ns::name(Tensor x) -> Tensor\", or pass the forward",
      .chapter = chapters::kCustomOps);
  return infer(name.name, *inferred, options).cloneWithName(name.name, name.overload_name);
}

FunctionSchema from_schema(FunctionSchema schema, const CustomOpOptions& options) {
  GB_CHECK_OR_THROW(options.argument_names.empty(), ValueError,
                    .what = fmt::format("custom_op: argument_names were given for {}, which has a schema",
                                        toString(schema.operator_name())),
                    .cause = fmt::format("the schema names its arguments: {}", to_string(schema)),
                    .repair = "leave argument_names out", .chapter = chapters::kCustomOps);
  if (!options.mutates_args.given()) return schema;
  const std::vector<std::string> meant = options.mutates_args.of(schema), written = written_in(schema);
  GB_CHECK_OR_THROW(
      same_names(meant, written), ValueError,
      .what =
          fmt::format("custom_op: Attempted to create a custom op with `mutates_args={}` and a schema that suggests "
                      "that the op mutates {}",
                      options.mutates_args.text(), quoted(written)),
      .cause = fmt::format("the schema is {}", to_string(schema)),
      .repair = "make the two consistent: `Tensor(a!) x` for each written argument, or leave mutates_args out",
      .chapter = chapters::kCustomOps);
  return schema;
}

}  // namespace

MutatesArgs::MutatesArgs(const char* unknown) : unknown_(std::string_view(unknown) == "unknown") {
  GB_CHECK_OR_THROW(unknown_, ValueError, .what = "custom_op: mutates_args as one string must be \"unknown\"",
                    .cause = fmt::format("it is \"{}\"", unknown),
                    .repair = fmt::format("write {{\"{}\"}} for the argument of that name", unknown),
                    .chapter = chapters::kCustomOps);
}

std::string MutatesArgs::text() const {
  return unknown_ ? "\"unknown\"" : quoted(names_.value_or(std::vector<std::string>{}));
}

std::vector<std::string> MutatesArgs::of(const FunctionSchema& schema) const {
  std::vector<std::string> meant;
  if (unknown_) {
    for (const Argument& a : schema.arguments()) {
      if (detail::holds_tensors(*a.type())) meant.push_back(a.name());
    }
    return meant;
  }
  for (const std::string& name : names_.value_or(std::vector<std::string>{})) {
    const std::optional<int> index = schema.argumentIndexWithName(name);
    GB_CHECK_OR_THROW(
        index, ValueError,
        .what = fmt::format("custom_op: {} in mutates_args were not found in the function's signature", quoted({name})),
        .cause = fmt::format("mutates_args is {}, the schema {}", text(), to_string(schema)),
        .repair =
            "name arguments of the operator (argument_names gives an inferred schema names), or write "
            "\"unknown\" where you do not know",
        .chapter = chapters::kCustomOps);
    const Argument& a = schema.arguments()[static_cast<size_t>(*index)];
    GB_CHECK_OR_THROW(
        detail::holds_tensors(*a.type()), ValueError,
        .what = fmt::format("custom_op: Parameter {} is in mutates_args but only Tensors or collections of "
                            "Tensors can be mutated",
                            name),
        .cause = fmt::format("its type is {}: {}", a.real_type()->str(), to_string(schema)),
        .repair = "take it out of mutates_args", .chapter = chapters::kCustomOps);
    meant.push_back(name);
  }
  return meant;
}

namespace detail {

FunctionSchema make_op_schema(const char* text, const FunctionSchema* inferred, const CustomOpOptions& options,
                              const Place& at) {
  auto parsed = jit::parseSchemaOrName(text);
  auto* given = std::get_if<FunctionSchema>(&parsed);
  const OperatorName name = given ? given->operator_name() : std::get<OperatorName>(parsed);
  GB_CHECK_OR_THROW(
      name.getNamespace(), ValueError, .what = fmt::format("custom_op: {} has no namespace", toString(name)),
      .cause = fmt::format("the text is \"{}\"", text),
      .repair = "write \"my_namespace::name\" or \"my_namespace::name(...) -> ...\"; aten is PyTorch's own",
      .chapter = chapters::kCustomOps);
  FunctionSchema schema = given ? from_schema(std::move(*given), options) : from_name(name, inferred, options);
  if (const auto found = Dispatcher::singleton().findSchema(name)) {
    GB_THROW(Error, .what = fmt::format("custom_op: {} is defined already", toString(name)),
             .cause = fmt::format("the first: {}; the second: {}", found->debug(), to_string(at)),
             .repair = "let the first CustomOpDef go before the second is made, or choose another name",
             .chapter = chapters::kCustomOps);
  }
  return schema;
}

}  // namespace detail
}  // namespace gb
