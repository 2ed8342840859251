// Command lines of the labs: "--flag value" and "--flag=value" are the same; --help (or -h) stands alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/device.h"

namespace gb::labs {

// Calls take(flag, value) for each flag but --help; answers whether --help was there. Throws ValueError for a flag that is
// not among `known` and for one without a value. `arguments`: without the program's name.
bool read_flags(const std::vector<std::string>& arguments, const std::vector<std::string>& known,
                const std::function<void(const std::string& flag, const std::string& value)>& take);

// Throws ValueError, naming the flag, for a text that is not a number of that kind.
uint64_t parse_number(const std::string& flag, const std::string& value);
double parse_fraction(const std::string& flag, const std::string& value);

Device parse_device(const std::string& value);  // of --device: cpu or cuda, else ValueError

}  // namespace gb::labs
