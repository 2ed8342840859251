// write_file_atomically: whoever looks at `path`, whenever, finds the old file whole or the new one whole.
//
// The parts go to a new file in the same folder; it is forced to the disk, then renamed over `path`, which the file
// system does in one step, and then the folder is forced to the disk. A process that dies before the rename leaves
// `path` as it was, and the new file beside it, named path.XXXXXX; an error removes that file. A symbolic link at `path`
// is replaced, not followed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gb::nn {

// Throws Error, with the system's reason, where a step fails.
void write_file_atomically(const std::string& path, const std::vector<std::string_view>& parts);

}  // namespace gb::nn
