#include "dispatcher/ivalue_print.h"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "dispatcher/ivalue.h"

namespace gb {
namespace detail {

std::string spell_double(double v) {
  // Below 1e10 a whole number prints as an integer with a point; "-0." keeps its sign.
  if (std::isfinite(v) && std::fabs(v) < 1e10 && v == std::trunc(v)) {
    return fmt::format("{}{:.0f}.", v == 0 && std::signbit(v) ? "-" : "", v == 0 ? 0.0 : v);
  }
  return fmt::format("{:.17g}", v);
}

std::string spell_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '\'':
        out += "\\'";
        break;
      case '"':
        out += "\\\"";
        break;
      case '\a':
        out += "\\a";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\v':
        out += "\\v";
        break;
      default:
        if (c >= ' ' && c <= '~')
          out += c;
        else
          out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return out + '"';
}

}  // namespace detail

namespace {
std::string join(ArrayRef<IValue> values) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) text += (i ? ", " : "") + to_string(values[i]);
  return text;
}
}  // namespace

std::string to_string(const IValue& v) {
  switch (v.tag()) {
    case IValue::Tag::None:
      return "None";
    case IValue::Tag::Tensor:
      return to_string(v.toTensor());
    case IValue::Tag::Double:
      return detail::spell_double(v.toDouble());
    case IValue::Tag::Int:
      return fmt::format("{}", v.toInt());
    case IValue::Tag::Bool:
      return v.toBool() ? "True" : "False";
    case IValue::Tag::Device:
      return v.toDevice().str();
    case IValue::Tag::String:
      return detail::spell_string(v.toStringRef());
    case IValue::Tag::List:
      return "[" + join(v.toListRef()) + "]";
    case IValue::Tag::Dict: {
      std::string text = "{";
      for (const auto& entry : v.toGenericDict())
        text += (text.size() > 1 ? ", " : "") + to_string(entry.key()) + ": " + to_string(entry.value());
      return text + "}";
    }
    case IValue::Tag::Storage:
      return fmt::format("Storage({} bytes)", v.toStorage().nbytes());
    case IValue::Tag::Generator:
      return fmt::format("Generator(seed {})", v.toGenerator().current_seed());
    case IValue::Tag::Stream:
      return to_string(v.toStream());
    case IValue::Tag::Object:
      return fmt::format("Object at {}", v.internalToPointer());
    case IValue::Tag::Tuple:
      break;
  }
  const std::vector<IValue>& parts = v.toTupleRef().elements();
  return "(" + join(parts) + (parts.size() == 1 ? ",)" : ")");
}

std::ostream& operator<<(std::ostream& out, const IValue& v) { return out << to_string(v); }

}  // namespace gb
