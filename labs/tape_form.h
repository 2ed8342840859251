// The forms of a printed tape by name, for the labs' flags: text, dot, json, svg.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "autograd/tape.h"
#include "autograd/tape_dot.h"
#include "autograd/tape_json.h"
#include "autograd/tape_svg.h"
#include "core/error.h"

namespace gb::labs {

inline std::string tape_in_form(const autograd::TapeGraph& tape, std::string_view form) {
  if (form == "text") return autograd::format_tape(tape);
  if (form == "dot") return autograd::format_tape_dot(tape);
  if (form == "json") return autograd::format_tape_json(tape);
  if (form == "svg") return autograd::format_tape_svg(tape);
  GB_THROW(ValueError, .what = fmt::format("--tape: there is no form '{}'", form),
           .cause = "it is not one of the four", .repair = "write text, dot, json or svg",
           .chapter = chapters::kAutograd);
}

}  // namespace gb::labs
