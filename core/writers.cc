#include "core/writers.h"

#include <deque>
#include <mutex>
#include <string>

namespace gb {
namespace {

struct Writers {
  std::mutex mutex;
  std::deque<std::string> names{""};  // a deque: the strings stay where they are
};

Writers& writers() {
  static Writers all;
  return all;
}

}  // namespace

uint32_t intern_writer(std::string_view name) {
  Writers& all = writers();
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (size_t i = 0; i < all.names.size(); ++i) {
    if (all.names[i] == name) return static_cast<uint32_t>(i);
  }
  all.names.emplace_back(name);
  return static_cast<uint32_t>(all.names.size() - 1);
}

std::string_view writer_name(uint32_t writer) {
  Writers& all = writers();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return writer < all.names.size() ? std::string_view(all.names[writer]) : std::string_view();
}

}  // namespace gb
