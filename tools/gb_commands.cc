#include "tools/gb_commands.h"

#include <fmt/format.h>

#include <cctype>

#include "core/error.h"
#include "dispatcher/dispatcher.h"
#include "dispatcher/explain.h"
#include "dispatcher/schema_parser.h"

namespace gb::tools {
namespace {

using Arguments = std::vector<std::string>;

const char* const kHelp =
    "gb: what this program's dispatcher knows\n"
    "\n"
    "  gb ops [TEXT]        every operator with its schema; with TEXT those whose name holds it\n"
    "  gb table OP          what is registered for OP, and the dispatch table that follows from it\n"
    "  gb explain OP KEYS   which kernel a call with arguments of these keys runs, and why\n"
    "  gb schema TEXT       reads a schema, prints it back, and says what its annotations mean\n"
    "  gb --help            this text\n"
    "\n"
    "OP is a name such as aten::mm or aten::sum.dim_IntList; without a namespace it is looked for in aten.\n"
    "KEYS is a list such as CPU,AutogradCPU, or a device (cpu, cuda, meta): the keys of a plain tensor there.\n"
    "Exit code: 0; 1 when there is no answer; 2 for a wrong command line.\n";

OperatorHandle find(const std::string& text) {
  OperatorName name = jit::parseName(text);
  name.setNamespaceIfNotSet("aten");
  return Dispatcher::singleton().findSchemaOrThrow(name.name.c_str(), name.overload_name.c_str());
}

DispatchKeySet keys_of_a_plain_tensor(DeviceType device) {
  return DispatchKeySet({dense_key(device), DispatchKey::ADInplaceOrView, DispatchKey::AutogradFunctionality,
                         DispatchKey::AutocastFunctionality});
}

DispatchKeySet parse_keys(const std::string& text) {
  DispatchKeySet keys;
  for (size_t from = 0; from <= text.size();) {
    const size_t to = std::min(text.find(',', from), text.size());
    const std::string word = text.substr(from, to - from);
    from = to + 1;
    if (!word.empty() && std::islower(static_cast<unsigned char>(word[0]))) {
      keys = keys | keys_of_a_plain_tensor(Device(word).type());
      continue;
    }
    const DispatchKey key = parseDispatchKey(word);
    GB_CHECK_OR_THROW(!isAliasDispatchKey(key), ValueError, .what = "explain: " + word + " is an alias",
                      .cause = "a kernel may be registered for it, but no tensor carries it",
                      .repair = "name the keys of the arguments: CPU, AutogradCPU, ...", .chapter = chapters::kDispatch);
    keys = keys.add(key);
  }
  return keys;
}

std::string describe(const Argument& argument) {
  std::string text = argument.real_type()->str();
  if (argument.N()) text += fmt::format(", {} elements (one value stands for all)", *argument.N());
  if (argument.kwarg_only()) text += ", by keyword only";
  if (argument.default_value()) text += ", has a default";
  const AliasInfo* alias = argument.alias_info();
  if (!alias) return text;
  const std::string annotation = to_string(*alias);
  if (!annotation.empty()) text += fmt::format("; alias sets {}", annotation);
  for (const AliasInfo& element : alias->containedTypes()) text += fmt::format("; each element {}", to_string(element));
  return text + (alias->isWrite() ? ": the operator writes it" : ": may share memory within its set");
}

Output ops(const Arguments& arguments) {
  const std::string filter = arguments.empty() ? "" : arguments[0];
  Output output;
  size_t shown = 0, all = 0;
  for (const OperatorName& name : Dispatcher::singleton().getAllOpNames()) {
    ++all;
    if (toString(name).find(filter) == std::string::npos) continue;
    ++shown;
    const auto op = Dispatcher::singleton().findSchema(name);
    output.out += op ? toString(op->schema()) + "\n" : toString(name) + ": kernels only, no schema\n";
  }
  output.out += fmt::format("{} of {} operators\n", shown, all);
  return output;
}

Output table(const Arguments& arguments) {
  const OperatorHandle op = find(arguments[0]);
  return {0, fmt::format("registered:\n{}\nthe table that follows (keys without a kernel are left out):\n{}",
                         op.dumpState(), op.dumpComputedTable()),
          ""};
}

Output explain_call(const Arguments& arguments) {
  return {0, explain(find(arguments[0]), parse_keys(arguments[1])), ""};
}

Output schema(const Arguments& arguments) {
  const FunctionSchema parsed = jit::parseSchema(arguments[0]);
  std::string text = fmt::format("{}\nname      {}\noverload  {}\n", toString(parsed), parsed.name(),
                                 parsed.overload_name().empty() ? "(none)" : parsed.overload_name());
  for (const Argument& a : parsed.arguments()) text += fmt::format("argument  {:<10} {}\n", a.name(), describe(a));
  if (parsed.is_vararg()) text += "argument  ...        any number more\n";
  for (size_t i = 0; i < parsed.returns().size(); ++i) {
    const Argument& r = parsed.returns()[i];
    text += fmt::format("return    {:<10} {}\n", r.name().empty() ? std::to_string(i) : r.name(), describe(r));
  }
  text += parsed.is_mutable() ? "writes    at least one argument\n" : "writes    no argument\n";
  return {0, text, ""};
}

struct Command {
  const char* name;
  size_t least, most;  // arguments
  const char* usage;
  Output (*run)(const Arguments&);
};
constexpr Command kCommands[] = {
    {"ops", 0, 1, "gb ops [TEXT]", &ops},
    {"table", 1, 1, "gb table OP", &table},
    {"explain", 2, 2, "gb explain OP KEYS", &explain_call},
    {"schema", 1, 1, "gb schema 'name(Tensor x) -> Tensor'", &schema},
};

}  // namespace

Output run_gb(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return {2, "", kHelp};
  if (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") return {0, kHelp, ""};
  const Arguments rest(arguments.begin() + 1, arguments.end());
  for (const Command& command : kCommands) {
    if (arguments[0] != command.name) continue;
    if (rest.size() < command.least || rest.size() > command.most) {
      return {2, "", fmt::format("gb {}: {} argument(s) given\nusage: {}\n", command.name, rest.size(), command.usage)};
    }
    try {
      return command.run(rest);
    } catch (const Error& e) {
      return {1, "", fmt::format("{}\n", e.what_without_backtrace())};
    }
  }
  return {2, "", fmt::format("gb: there is no command \"{}\" (ops, table, explain, schema; gb --help says more)\n", arguments[0])};
}

}  // namespace gb::tools
