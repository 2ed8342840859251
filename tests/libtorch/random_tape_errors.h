// Why a statement was refused, as a class: the two libraries word their messages differently, but both say these words.
#pragma once

#include <string>

namespace gb::tests::tape {

// "leaf", "no-grad view", "version", ...; "other: " and the message where no class has its words; empty for none.
std::string kind_of_error(const std::string& message);

}  // namespace gb::tests::tape
