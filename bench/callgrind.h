// Counting instructions: the program starts itself again under callgrind, and there counts marked stretches of work.
//
//   parent: count_instructions({"--count"})["add/ours"].total -> 45120000
//   child:  for each stretch  begin_count(); work(); end_count("add/ours");
//
// Counts are exact and repeat from run to run, so they can be compared where nanoseconds are noise. Valgrind shows the
// program a processor without AVX-512. Without valgrind (or its headers at build time) available() says no.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gb::bench {

// What one stretch took.
struct Count {
  double total = 0;                         // instructions
  std::map<std::string, double> functions;  // of which each function executed itself, by its demangled name
};

bool valgrind_available();
bool running_under_valgrind();

void begin_count();
void end_count(const std::string& name);

// Runs this program with `arguments` under callgrind, and returns the instructions of each stretch. Throws Error with the
// child's output where it fails.
std::map<std::string, Count> count_instructions(const std::vector<std::string>& arguments);

}  // namespace gb::bench
