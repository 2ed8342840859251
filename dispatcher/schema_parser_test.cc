#include "dispatcher/schema_parser.h"

#include <doctest/doctest.h>

#include <random>

using namespace gb;
using jit::parseSchema;

namespace {

// Each prints back as it is written here. The forms are those of LibTorch 2.11's own registrations.
const char* const kSchemas[] = {
    "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
    "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
    "Tensor",
    "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
    "aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float "
    "eps=1.0000000000000001e-05) -> Tensor",
    "aten::conv2d(Tensor input, Tensor weight, SymInt[2] stride=[1, 1], int[2] dilation=1, str "
    "padding=\"valid\") -> Tensor",
    "aten::avg_pool1d(Tensor self, int[1] stride=[], int[1] padding=[0]) -> Tensor",
    "aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
    "aten::svd.U(Tensor self, *, Tensor(a!) U, Tensor(b!) S) -> (Tensor(a!) U, Tensor(b!) S)",
    "aten::_foreach_add_(Tensor(a!)[] self, Scalar[] scalars) -> ()",
    "aten::x(Tensor dummy, str a=\"\\\"\\'\\\\\", Device? d=None, float p=0.5, float q=2., int n=-1) -> "
    "Tensor out",
    "aten::empty.names(int[] size, *, str[]? names, Layout? layout=None, MemoryFormat? memory_format=None) "
    "-> Tensor",
    "static_runtime::VarTupleUnpack(...) -> ...",
    "t::mixed(Tensor x, ...) -> (Tensor, ...)",
    "t::dict(Dict(str, Tensor) d, Future(t) f, (int, Tensor[]) pair, t[] rest) -> t",
    "aten::items.str(Dict(str, t) self) -> ((str, t)[])",
    "t::tuple() -> ((int, int))",
    "t::two(Tensor(a|b) x, Tensor(a! -> b) y) -> Tensor(a|b)",
    "quantized::linear(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase W, Any x) -> "
    "Tensor[][]",
    "t::extremes(int a=-9223372036854775808, float b=inf, float c=-inf, Scalar d=1.5, bool[2] m=[True, "
    "False]) -> ()",
};

std::string failure(const std::string& text, bool allow_typevars = true) {
  try {
    parseSchema(text, allow_typevars);
  } catch (const ValueError& e) {
    return e.what_without_backtrace();
  }
  return "no error";
}

// Does the error name the problem, and does the caret stand under `under`?
void check_failure(const std::string& text, const std::string& problem, size_t column) {
  CAPTURE(text);
  const std::string got = failure(text);
  CHECK(got.find("schema: " + problem) == 0);
  CHECK(got.find("column " + std::to_string(column) + " of\n    " + text + "\n    " +
                 std::string(column - 1, ' ') + "^\n") != std::string::npos);
  CAPTURE(got);
}

}  // namespace

TEST_CASE("schema parser: what is parsed prints as it was written") {
  for (const char* text : kSchemas) {
    const FunctionSchema s = parseSchema(text);
    CHECK(to_string(s) == text);
    CHECK((parseSchema(to_string(s)) == s));
  }
}

TEST_CASE("schema parser: other spellings of the same") {
  CHECK(to_string(parseSchema("a :: b( Tensor x ,int [ 2 ] y = [ 3 ,3 ] )->Tensor")) ==
        "a::b(Tensor x, int[2] y=3) -> Tensor");
  CHECK(to_string(parseSchema("a::b(Dimname d, str s='x', float f=1) -> (Tensor)")) ==
        "a::b(str d, str s=\"x\", float f=1.) -> Tensor");
  CHECK(to_string(parseSchema("a::b(Tensor! x) -> ()")) == "a::b(Tensor($0!) x) -> ()");
  CHECK(parseSchema("a::b(MemoryFormat m=contiguous_format) -> ()").arguments()[0].default_value()->toInt() ==
        0);
  CHECK(
      (parseSchema("a::b(ScalarType d=long) -> ()").arguments()[0].default_value()->toScalarType() == kLong));
  const FunctionSchema devices = parseSchema("a::b(Device d='cuda:1', Device[] e=['cpu'], float f=nan) -> ()");
  CHECK(devices.arguments()[0].default_value()->toDevice() == Device(kCUDA, 1));
  const FunctionSchema empty =
      parseSchema("a::b(Tensor[] x=[], Tensor?[] y=[], ScalarType?[] z=[], int[][] w=[]) -> ()");
  CHECK(empty.arguments()[0].default_value()->toTensorList().empty());
  CHECK(empty.arguments()[1].default_value()->toOptionalTensorList().empty());
  CHECK(empty.arguments()[2].default_value()->to<List<std::optional<int64_t>>>().empty());
  CHECK(empty.arguments()[3].default_value()->to<List<List<int64_t>>>().empty());
  CHECK(to_string(devices) == "a::b(Device d=\"cuda:1\", Device[] e=[\"cpu\"], float f=nan) -> ()");
  CHECK((devices == parseSchema(to_string(devices))));
}

TEST_CASE("schema parser: names") {
  CHECK((jit::parseName("aten::add.out") == OperatorName("aten::add", "out")));
  CHECK((jit::parseName("foo") == OperatorName("foo", "")));
  CHECK(std::holds_alternative<OperatorName>(jit::parseSchemaOrName("aten::add")));
  CHECK(std::holds_alternative<FunctionSchema>(jit::parseSchemaOrName("aten::add() -> ()")));
  CHECK_THROWS_AS(jit::parseName("aten::add("), ValueError);
}

TEST_CASE("schema parser: the whole text of an error") {
  CHECK(failure("aten::f(Tensor x, int n=, Tensor y) -> Tensor") ==
        "schema: `,` is no default for a `int`\n"
        "  cause:   column 25 of\n"
        "    aten::f(Tensor x, int n=, Tensor y) -> Tensor\n"
        "                            ^\n"
        "  repair:  write a number\n"
        "  chapter: docs/en/theory/01-dispatcher-and-aten.md#dispatch");
}

TEST_CASE("schema parser: every mistake is shown with a caret under it") {
  check_failure("", "expected the operator's name but found the end of the text", 1);
  check_failure("aten::", "expected a name after `::` but found the end of the text", 7);
  check_failure("a::f", "expected `(` but found the end of the text", 5);
  check_failure("a::f(Tensor x -> Tensor", "expected `)` but found `->`", 15);
  check_failure("a::f(Tensor x)", "expected `->` but found the end of the text", 15);
  check_failure("a::f(Tensor x) -> Tensor y z", "expected the end of the text but found `z`", 28);
  check_failure("a::f(Tensor) -> Tensor", "expected an argument name but found `)`", 12);
  check_failure("a::f(Tensr x) -> Tensor", "unknown type `Tensr`", 6);
  check_failure("a::f(Tensor x, int x) -> Tensor", "two arguments are named `x`", 20);
  check_failure("a::f(int y=3, Tensor z) -> ()", "argument `z` has no default but follows `y`, which has one",
                22);
  check_failure("a::f(Tensor x) -> Tensor(b)", "the return is in alias set `b`, but no argument is", 19);
  check_failure("a::f(int(a!) x) -> ()", "a value of type `int` cannot be written", 11);
  check_failure("a::f(str! x) -> ()", "a value of type `str` cannot be written", 9);
  check_failure("a::f(float(a -> b) x, Device(c!)? d) -> ()", "a value of type `Device` cannot be written", 31);
  check_failure("a::f((int, bool)(a!) x) -> ()", "a value of type `(int, bool)` cannot be written", 19);
  CHECK(failure("a::f(int(a) n, (int, Tensor)(b!) x, int[](c!) l, Generator(d!)? g, t(e!) v) -> ()") == "no error");
  check_failure("a::f(*, *) -> ()", "a second `*`", 9);
  check_failure("a::f(..., int x) -> ()", "nothing may follow `...`", 11);
  check_failure("a::f(Tensor x=3) -> ()", "`3` is no default for a `Tensor`", 15);
  check_failure("a::f(int x=None) -> ()", "`None` is no default for a `int`", 12);
  check_failure("a::f(int x=1.5) -> ()", "the number `1.5` is no 64-bit int", 12);
  check_failure("a::f(int x=99999999999999999999) -> ()",
                "the number `99999999999999999999` is no 64-bit int", 12);
  check_failure("a::f(int[] x=1) -> ()", "`1` is no default for a `int`", 14);
  check_failure("a::f(int[9999999999] x) -> ()", "the length of a list is not a small whole number", 10);
  check_failure("a::f(int[2][3] x) -> ()", "only the outermost list may have a length", 12);
  check_failure("a::f(int?? x) -> ()", "an optional of an optional", 10);
  check_failure("a::f(str x=\"abc) -> ()", "the text that begins here has no end", 12);
  check_failure("a::f(float x=1e) -> ()", "the exponent has no digits", 15);
  check_failure("a::f(Tensor @x) -> ()", "a character that no schema has", 13);
  check_failure("a::f.default(Tensor x) -> ()", "`default` is not allowed as an overload name", 6);
  check_failure("a::f(Tensor(a x) -> ()", "expected `)` but found `x`", 15);
  check_failure("a::f(Device d=\"abacus\") -> ()", "`\"abacus\"` is no default for a `Device`", 15);
  CHECK(failure("a::f(t x) -> t", false).find("schema: unknown type `t`") == 0);
  CHECK(failure("a::f(" + std::string(5000, '(')).find("schema: types are nested too deeply") == 0);
}

TEST_CASE("schema parser: a long text is cut around the caret, odd bytes take one column") {
  const std::string text = "a::f(" + std::string(300, ' ') + "\xff" + std::string(300, ' ') + ") -> ()";
  CHECK(failure(text).find("    ..." + std::string(60, ' ') + "?" + std::string(59, ' ') + "...\n    " +
                           std::string(63, ' ') + "^") != std::string::npos);
}

TEST_CASE("schema parser: random changes of good schemas are parsed or refused, never worse") {
  std::mt19937 random(20250);
  const std::string alphabet = "()[]{}*?!|=->.,:\"'\\ aTn0912_$\n\xff";
  int parsed = 0, refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = kSchemas[random() % std::size(kSchemas)];
    for (int changes = 1 + static_cast<int>(random() % 3); changes > 0 && !text.empty(); --changes) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text.erase(at, 1 + random() % 4);
          break;
        case 1:
          text.insert(at, 1, alphabet[random() % alphabet.size()]);
          break;
        case 2:
          text[at] = alphabet[random() % alphabet.size()];
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 12));
      }
    }
    CAPTURE(text);
    try {
      const FunctionSchema s = parseSchema(text);
      CHECK(to_string(parseSchema(to_string(s))) ==
            to_string(s));  // what is accepted can be printed and read again
      ++parsed;
    } catch (const ValueError&) {
      ++refused;
    }
  }
  CHECK(parsed > 300);
  CHECK(refused > 300);
}
