// Is c6::from_afar registered in this program?
#include <cstdio>

#include "dispatcher/dispatcher.h"

int main() {
  const bool found = gb::Dispatcher::singleton().findSchema({"c6::from_afar", ""}).has_value();
  std::puts(found ? "c6::from_afar is registered" : "c6::from_afar is not registered");
  return 0;
}
