#include "tools/gb_commands.h"

#include <fmt/format.h>

#include "core/error.h"
#include "dispatcher/dispatcher.h"
#include "dispatcher/json.h"
#include "tools/gb_parts.h"

namespace gb::tools {
namespace {

const char* const kHelp =
    "gb: what this program's dispatcher knows\n"
    "\n"
    "  gb ops [TEXT]          every operator with its schema; with TEXT those whose name holds it\n"
    "  gb table OP            what is registered for OP, and the dispatch table that follows from it\n"
    "      --why              every rule that was tried for each slot\n"
    "      --with KEY         instead: which slots a kernel at KEY (KEY=fallthrough: a fallthrough) would "
    "change, and why\n"
    "      --without KEY      the same for taking the kernel at KEY away\n"
    "  gb explain OP KEYS...  which kernel a call with arguments of these keys runs, and why\n"
    "      --inference --no-grad-mode --autocast --mode --below-autograd     on a thread in that state\n"
    "      --include KEYS --exclude KEYS                                     with these keys in its sets\n"
    "  gb schema TEXT         reads a schema, prints it back, and says what its annotations mean\n"
    "  gb layout              the bits of a key set and the slots of a table\n"
    "  gb --help              this text\n"
    "\n"
    "OP is a name such as aten::mm or aten::sum.dim_IntList; without a namespace it is looked for in aten.\n"
    "KEYS is a list such as CPU,AutogradCPU: the keys of one tensor; or a device (cpu, cuda, meta): those of "
    "a plain tensor\n"
    "there. Several words, or several devices (cpu,cuda), are several tensor arguments; none is a call "
    "without tensors.\n"
    "ops, table, explain and schema take --json. Exit code: 0; 1 when there is no answer; 2 for a wrong "
    "command line.\n";

Output ops(const Line& line) {
  const std::string filter = line.words.empty() ? "" : line.words[0];
  Output output;
  std::vector<std::string> objects;
  size_t all = 0;
  for (const OperatorName& name : Dispatcher::singleton().getAllOpNames()) {
    ++all;
    if (toString(name).find(filter) == std::string::npos) continue;
    const auto op = Dispatcher::singleton().findSchema(name);
    output.out += op ? toString(op->schema()) + "\n" : toString(name) + ": kernels only, no schema\n";
    objects.push_back(json::object({{"op", json::quoted(toString(name))},
                                    {"schema", op ? json::quoted(toString(op->schema())) : "null"},
                                    {"defined", op ? json::quoted(op->debug()) : "null"}}));
  }
  output.out += fmt::format("{} of {} operators\n", objects.size(), all);
  if (line.has("--json")) output.out = json::lines(objects);
  return output;
}

struct Command {
  const char* name;
  size_t least, most;  // words
  const char* flags;   // those it takes, each between blanks; "=" after one that takes a value
  const char* usage;
  Output (*run)(const Line&);
};
constexpr Command kCommands[] = {
    {"ops", 0, 1, " --json ", "gb ops [TEXT]", &ops},
    {"table", 1, 1, " --json --why --with= --without= ", "gb table OP", &show_table},
    {"explain", 2, 64,
     " --json --inference --no-grad-mode --autocast --mode --below-autograd --include= --exclude= ",
     "gb explain OP KEYS", &explain_call},
    {"schema", 1, 1, " --json ", "gb schema 'name(Tensor x) -> Tensor'", &show_schema},
    {"layout", 0, 0, "  ", "gb layout", &show_layout},
};

Output wrong(const Command& command, const std::string& what) {
  return {2, "", fmt::format("gb {}: {}\nusage: {}\n", command.name, what, command.usage)};
}

Output run(const Command& command, const std::vector<std::string>& arguments) {
  Line line;
  for (size_t i = 1; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (!word.starts_with("--")) {
      line.words.push_back(word);
      continue;
    }
    const std::string flags = command.flags;
    const bool takes_value = flags.find(" " + word + "= ") != std::string::npos;
    if (!takes_value && flags.find(" " + word + " ") == std::string::npos) {
      return wrong(command, word + " is no flag of this command; gb --help says which there are");
    }
    if (takes_value && i + 1 == arguments.size()) return wrong(command, word + " needs a value");
    line.flags.emplace_back(word, takes_value ? arguments[++i] : "");
  }
  if (line.words.size() < command.least || line.words.size() > command.most) {
    return wrong(command, fmt::format("{} argument(s) given", line.words.size()));
  }
  try {
    return command.run(line);
  } catch (const Error& e) {
    return {1, "", fmt::format("{}\n", e.what_without_backtrace())};
  }
}

}  // namespace

Output run_gb(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return {2, "", kHelp};
  if (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") return {0, kHelp, ""};
  std::string known;
  for (const Command& command : kCommands) {
    if (arguments[0] == command.name) return run(command, arguments);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", command.name);
  }
  return {2, "",
          fmt::format("gb: there is no command \"{}\" ({}; gb --help says more)\n", arguments[0], known)};
}

}  // namespace gb::tools
