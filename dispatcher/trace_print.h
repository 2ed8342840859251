// One hop of the trace, and one kernel launched in it, as text, as a JSON object, and as an event of a Chrome trace.
#pragma once

#include <string>

#include "dispatcher/trace.h"

namespace gb::trace {

std::string to_line(const Event& event);  // one line, indented by depth; without what is known at the end only
// " [12.3 us]" with `times`, and " ! gb::Error: its first line" where an exception ended the hop; else empty.
std::string to_ending(const Event& event, bool times);
std::string to_json(const Event& event);
// A complete event ("ph":"X") of the hop's thread, its arguments the same object as to_json's.
std::string to_chrome(const Event& event);

// A line one level deeper than its hop; an object of kind "launch" with the hop's id as parent; an instant ("ph":"i").
std::string to_line(const LaunchEvent& event);
std::string to_json(const LaunchEvent& event);
std::string to_chrome(const LaunchEvent& event);

}  // namespace gb::trace
