// Spanish conjugation: from a row of verbs.h to the words of a tense, for the three persons of the singular.
//
//     present      stressed stem + o, as/es, a/e         como, comes, come           duermo, duermes, duerme
//     past         stem + é, aste, ó / í, iste, ió       comí, comiste, comió        (dormí, dormiste,
//     durmió)
//                  or strong stem + e, iste, o           hice, hiciste, hizo
//     future       future stem + é, ás, á                comeré, comerás, comerá
//     perfect      he, has, ha + participle              he comido
//     progressive  estoy, estás, está + gerund           estoy comiendo
//     conditional  future stem + ía, ías, ía             comería, comerías, comería
//
// Spelling follows the sound, so these are rules and not irregular forms:
//     g, c, z before é become gu, qu, c        jugué
//     c before o becomes z                     hizo
//     i between vowels becomes y               leyó, leyendo
//     an i that stands by itself after a strong vowel carries an accent   leí, leíste, leído
//     a word of one syllable has no accent     vi, vio
// Words are UTF-8 with composed accents (é is one code point).
#pragma once

#include <string>

#include "nn/grammar/verbs.h"

namespace gb::nn::grammar {

std::string spanish_present(const SpanishVerb& verb, Person person);
std::string spanish_preterite(const SpanishVerb& verb, Person person);
std::string spanish_future(const SpanishVerb& verb, Person person);
std::string spanish_conditional(const SpanishVerb& verb, Person person);
std::string spanish_participle(const SpanishVerb& verb);
std::string spanish_gerund(const SpanishVerb& verb);

// The auxiliary of a compound tense (haber, estar); empty in the simple tenses.
std::string spanish_auxiliary(Tense tense, Person person);

// The whole verb group without its subject: "come", "ha comido".
std::string spanish_group(const SpanishVerb& verb, Tense tense, Person person);

}  // namespace gb::nn::grammar
