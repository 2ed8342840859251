// The commands of //tools:gb that have a file of their own.
#pragma once

#include "tools/gb_commands.h"
#include "tools/gb_line.h"

namespace gb::tools {

Output show_table(const Line& line);    // gb table OP
Output explain_call(const Line& line);  // gb explain OP KEYS
Output show_schema(const Line& line);   // gb schema TEXT
Output show_layout(const Line& line);   // gb layout

}  // namespace gb::tools
