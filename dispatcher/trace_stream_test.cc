#include "dispatcher/trace_stream.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "dispatcher/trace_print.h"
#include "dispatcher/trace_test_ops.h"

using namespace gb;
using namespace gb::testing;

namespace {

// What a Stream writes for a hop that begins and ends, and one that an exception ends.
std::string written(trace::Stream::Format format, const char* filter = "") {
  Library library = MAKE_GB_LIBRARY(stream);
  library.def("f(Tensor x) -> Tensor")
      .impl(
          "f", DispatchKey::CPU, [](const Tensor& x) { return x; }, "f.cc", 1);
  const OperatorHandle f = find("stream::f");
  const DispatchKeySet keys = tensor().key_set();
  trace::Event event{.op = &f.entry(),
                     .kernel = &f.entry().slot(DispatchKey::CPU),
                     .argument_keys = &keys,
                     .n_arguments = 1,
                     .included = {},
                     .excluded = {},
                     .mask = DispatchKeySet(DispatchKeySet::FULL),
                     .keyset = DispatchKeySet(DispatchKey::CPU),
                     .key = DispatchKey::CPU,
                     .kind = trace::CallKind::kCall,
                     .depth = 1,
                     .id = 7,
                     .parent = 6,
                     .thread = 1,
                     .begin_ns = 1500,
                     .duration_ns = -1,
                     .error = nullptr};
  std::FILE* file = std::tmpfile();
  REQUIRE(file);
  {
    trace::Stream stream(format, file, trace::Filter::parse(filter));
    for (const char* error : {static_cast<const char*>(nullptr), "gb::Error: a \"quoted\" word"}) {
      event.duration_ns = -1;
      event.error = nullptr;
      stream.begin(event);
      event.duration_ns = 2042;
      event.error = error;
      stream.end(event);
    }
    stream.close();
    stream.end(event);  // dropped
  }
  std::string text(1 << 14, '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

const char* const kJson =
    "{\"id\":7,\"parent\":6,\"thread\":1,\"depth\":1,\"kind\":\"call\",\"op\":\"stream::f\",\"arguments\":{"
    "\"x\":[\"CPU\","
    "\"ADInplaceOrView\",\"AutogradCPU\",\"AutocastCPU\"]},\"tls_include\":[],\"tls_exclude\":[],\"masked_"
    "out\":[],\"keyset\":"
    "[\"CPU\"],\"key\":\"CPU\",\"slot\":1,\"reason\":\"kernel for this "
    "key\",\"kernel\":\"f.cc:1\",\"begin_us\":1.500,"
    "\"duration_us\":2.042,\"error\":";

}  // namespace

TEST_CASE("trace stream: the tree, golden") {
  const std::string line =
      "  call stream::f(x: {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}) | TLS +{} -{} | mask -{} => CPU "
      ": kernel for this "
      "key, f.cc:1\n";
  CHECK(written(trace::Stream::Format::kTree) ==
        line + line + "  end of stream::f ! gb::Error: a \"quoted\" word\n");
  CHECK(written(trace::Stream::Format::kTree, "key=CUDA") == "");
}

TEST_CASE("trace stream: JSON lines, golden") {
  CHECK(written(trace::Stream::Format::kJson) ==
        kJson + std::string("null}\n") + kJson + "\"gb::Error: a \\\"quoted\\\" word\"}\n");
  CHECK(written(trace::Stream::Format::kJson, "op=other") == "");
}

TEST_CASE("trace stream: a Chrome trace, golden") {
  const std::string text = written(trace::Stream::Format::kChrome);
  CHECK(starts_with(
      text,
      "[\n{\"name\":\"stream::f [CPU]\",\"cat\":\"call\",\"ph\":\"X\",\"ts\":1.500,\"dur\":2.042,\"pid\":"));
  CHECK(contains(text, std::string(",\"tid\":1,\"args\":") + kJson + "null}},\n{\"name\":"));
  CHECK(text.ends_with("word\"}}\n]\n"));
  CHECK(count(text, "\n") == 4);
  CHECK(written(trace::Stream::Format::kChrome, "op=other") == "[\n]\n");
}
