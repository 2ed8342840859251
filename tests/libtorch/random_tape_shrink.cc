// The shrinker: leaves out statements, then inputs and options, for as long as the program still fails.
#include "tests/libtorch/random_shrink.h"
#include "tests/libtorch/random_tape_program.h"

namespace gb::tests::tape {
namespace {

class Shrinker {
 public:
  Shrinker(Program program, const std::function<bool(const Program&)>& fails)
      : fails_(fails), program_(std::move(program)) {}

  Program run() {
    for (bool smaller = true; smaller;) smaller = without_statements() | without_scopes() | simpler_statements();
    return std::move(program_);
  }

 private:
  bool accept(Program candidate) {
    if (!fails_(candidate)) return false;
    program_ = std::move(candidate);
    return true;
  }

  bool without_statements() {
    std::vector<Statement> statements = program_.statements;
    return drop_elements(statements,
                         [&](const std::vector<Statement>& some) { return accept({program_.seed, some}); });
  }

  // A scope's two ends together: one alone would make the rest another program.
  bool without_scopes() {
    bool smaller = false;
    for (size_t at = 0; at < program_.statements.size(); ++at) {
      const size_t end = end_of_scope(at);
      if (end == 0) continue;
      Program candidate = program_;
      candidate.statements.erase(candidate.statements.begin() + static_cast<std::ptrdiff_t>(end));
      candidate.statements.erase(candidate.statements.begin() + static_cast<std::ptrdiff_t>(at));
      smaller |= accept(std::move(candidate));
    }
    return smaller;
  }
  // Where the scope that statement `at` opens ends; 0 where it opens none.
  size_t end_of_scope(size_t at) const {
    int depth = 0;
    for (size_t i = at; i < program_.statements.size(); ++i) {
      const Kind kind = program_.statements[i].kind;
      if (kind >= Kind::kNoGrad && kind <= Kind::kNormal) ++depth;
      if (kind == Kind::kEnd) --depth;
      if (depth == 0) return i == at ? 0 : i;
    }
    return 0;
  }

  bool simpler_statements() {
    bool smaller = false;
    for (size_t at = 0; at < program_.statements.size(); ++at) {
      for (bool Statement::*option : {&Statement::retain_graph, &Statement::create_graph, &Statement::allow_unused,
                                      &Statement::look}) {
        if (!(program_.statements[at].*option)) continue;
        Program candidate = program_;
        candidate.statements[at].*option = false;
        smaller |= accept(std::move(candidate));
      }
      for (std::vector<int> Statement::*list : {&Statement::operands, &Statement::inputs}) {
        const Kind kind = program_.statements[at].kind;
        if (kind != Kind::kBackward && kind != Kind::kGrad) continue;
        std::vector<int> numbers = program_.statements[at].*list;
        smaller |= drop_elements(numbers, [&](const std::vector<int>& some) {
          if (some.empty()) return false;
          Program candidate = program_;
          candidate.statements[at].*list = some;
          return accept(std::move(candidate));
        });
      }
    }
    return smaller;
  }

  const std::function<bool(const Program&)>& fails_;
  Program program_;
};

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  return Shrinker(std::move(program), fails).run();
}

}  // namespace gb::tests::tape
