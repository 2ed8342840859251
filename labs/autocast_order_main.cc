// bazel run //labs:autocast-order
#include <cstdio>

#include "labs/autocast_order.h"

int main() { std::fputs(gb::labs::show_autocast_order().c_str(), stdout); }
