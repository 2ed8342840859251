// How a tensor prints: its values as nested rows, then what it is.
#include <fmt/format.h>

#include <ostream>
#include <vector>

#include "core/device_hooks.h"
#include "core/tensor.h"

namespace gb {
namespace {

constexpr int64_t kEdge = 6;  // elements shown at each end of a longer dimension

std::string format_element(const char* p, ScalarType dtype) {
  switch (dtype) {
    case kFloat: return fmt::format("{:.6g}", *reinterpret_cast<const float*>(p));
    case kDouble: return fmt::format("{:.6g}", *reinterpret_cast<const double*>(p));
    case kHalf: return fmt::format("{:.4g}", static_cast<float>(*reinterpret_cast<const Half*>(p)));
    case kBFloat16: return fmt::format("{:.4g}", static_cast<float>(*reinterpret_cast<const BFloat16*>(p)));
    case kLong: return fmt::format("{}", *reinterpret_cast<const int64_t*>(p));
    case kInt: return fmt::format("{}", *reinterpret_cast<const int32_t*>(p));
    case kBool: return *p ? "true" : "false";
    default: return "?";
  }
}

// `p` is the first element of what is left of dimension d.
void format_rows(const Tensor& t, const char* p, int64_t d, std::string& out) {
  if (d == t.dim()) {
    out += format_element(p, t.scalar_type());
    return;
  }
  const bool innermost = d + 1 == t.dim();
  out += "[";
  for (int64_t i = 0; i < t.size(d); ++i) {
    if (i > 0) out += innermost ? ", " : ",\n" + std::string(static_cast<size_t>(d) + 1, ' ');
    if (t.size(d) > 2 * kEdge && i == kEdge) {
      out += innermost ? "..., " : "...,\n" + std::string(static_cast<size_t>(d) + 1, ' ');
      i = t.size(d) - kEdge;
    }
    format_rows(t, p + i * t.stride(d) * t.element_size(), d + 1, out);
  }
  out += "]";
}

}  // namespace

std::string to_string(const Tensor& t) {
  if (!t.defined()) return "[ Tensor (undefined) ]";
  const std::string what = fmt::format("[ {}{{{}}} ]", t.toString(), fmt::join(t.sizes(), ","));
  if (t.is_meta() || !t.has_storage()) return what;
  std::vector<char> host;  // the storage of a device, brought here
  const char* first = static_cast<const char*>(t.const_data_ptr());
  if (!t.is_cpu()) {
    host.resize(t.storage().nbytes());
    device_hooks(t.device().type())->copy(host.data(), Device(kCPU), t.storage().data(), t.device(), host.size());
    first = host.data() + t.storage_offset() * t.element_size();
  }
  std::string out;
  format_rows(t, first, 0, out);
  return out + "\n" + what;
}

std::ostream& operator<<(std::ostream& out, const Tensor& t) { return out << to_string(t); }

}  // namespace gb
