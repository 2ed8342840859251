// English conjugation: from a row of verbs.h to the words of a tense.
//
//     present      base, or the -s form in the third person      eat, eats
//     past         the past form, one for all persons            ate
//     future       will + base                                   will eat
//     perfect      have / has + participle                       have eaten
//     progressive  am / are / is + -ing form                     am eating
//     conditional  would + base                                  would eat
#pragma once

#include <string>

#include "nn/grammar/verbs.h"

namespace gb::nn::grammar {

std::string english_third_person(const EnglishVerb& verb);  // eats, watches, studies
std::string english_past(const EnglishVerb& verb);          // ate, watched, studied
std::string english_participle(const EnglishVerb& verb);    // eaten, watched, studied
std::string english_ing(const EnglishVerb& verb);           // eating, writing, running

// The auxiliary that a tense and person ask for; empty in the present and the past.
std::string english_auxiliary(Tense tense, Person person);

// The whole verb group without its subject: "eats", "will eat", "has eaten".
std::string english_group(const EnglishVerb& verb, Tense tense, Person person);

}  // namespace gb::nn::grammar
