#include "nn/grammar/verbs.h"

namespace gb::nn::grammar {

std::span<const Verb> verbs() {
  // Never destroyed: sentences point into it, whatever order statics go in at exit.
  static const std::vector<Verb>& table = *new std::vector<Verb>{
      // Wholly regular in Spanish: -ar, -er and -ir.
      {.english = {.base = "eat", .past = "ate", .participle = "eaten"},
       .spanish = {.infinitive = "comer"},
       .feminine = false,
       .complements = {{"bread", "pan"}, {"cheese", "queso"}, {"apples", "manzanas"}, {"salad", "ensalada"}}},

      {.english = {.base = "drink", .past = "drank", .participle = "drunk"},
       .spanish = {.infinitive = "beber"},
       .feminine = true,
       .complements = {{"water", "agua"}, {"milk", "leche"}, {"tea", "té"}}},

      {.english = {.base = "sing", .past = "sang", .participle = "sung"},
       .spanish = {.infinitive = "cantar"},
       .feminine = false,
       .complements = {{"a song", "una canción"},
                       {"in a choir", "en un coro"},
                       {"in the shower", "en la ducha"}}},

      {.english = {.base = "study"},
       .spanish = {.infinitive = "estudiar"},
       .feminine = true,
       .complements = {{"spanish", "español"}, {"history", "historia"}, {"music", "música"}}},

      {.english = {.base = "cook"},
       .spanish = {.infinitive = "cocinar"},
       .feminine = false,
       .complements =
           {{"rice", "arroz"}, {"fish", "pescado"}, {"vegetables", "verduras"}, {"pasta", "pasta"}}},

      {.english = {.base = "share"},
       .spanish = {.infinitive = "compartir"},
       .feminine = true,
       .complements = {{"a secret", "un secreto"},
                       {"the food", "la comida"},
                       {"a room", "una habitación"},
                       {"chocolate", "chocolate"},
                       {"ideas", "ideas"}}},

      {.english = {.base = "run", .past = "ran", .participle = "run", .doubles = true},
       .spanish = {.infinitive = "correr"},
       .feminine = false,
       .complements = {{"in the park", "en el parque"},
                       {"fast", "rápido"},
                       {"five kilometers", "cinco kilómetros"}}},

      {.english = {.base = "buy", .past = "bought"},
       .spanish = {.infinitive = "comprar"},
       .feminine = true,
       .complements = {{"shoes", "zapatos"}, {"flowers", "flores"}, {"a shirt", "una camisa"}}},

      // Regular but for the participle.
      {.english = {.base = "write", .past = "wrote", .participle = "written"},
       .spanish = {.infinitive = "escribir", .participle = "escrito"},
       .feminine = false,
       .complements = {{"letters", "cartas"}, {"a poem", "un poema"}, {"a story", "un cuento"}}},

      {.english = {.base = "open"},
       .spanish = {.infinitive = "abrir", .participle = "abierto"},
       .feminine = true,
       .complements = {{"the door", "la puerta"}, {"the window", "la ventana"}, {"the box", "la caja"}}},

      // A stem in a vowel: leíste, leyó, leído, leyendo come out of the spelling rules. The English past is
      // read, too.
      {.english = {.base = "read", .past = "read"},
       .spanish = {.infinitive = "leer"},
       .feminine = false,
       .complements = {{"a novel", "una novela"}, {"the newspaper", "el periódico"}, {"books", "libros"}}},

      // The stem changes under stress: ue, ie, i.
      {.english = {.base = "play"},
       .spanish = {.infinitive = "jugar", .stressed_stem = "jueg"},
       .feminine = true,
       .complements = {{"football", "al fútbol"}, {"chess", "al ajedrez"}, {"cards", "a las cartas"}}},

      {.english = {.base = "sleep", .past = "slept"},
       .spanish = {.infinitive = "dormir", .stressed_stem = "duerm", .weak_stem = "durm"},
       .feminine = false,
       .complements = {{"well", "bien"}, {"on the sofa", "en el sofá"}, {"in a hammock", "en una hamaca"}}},

      {.english = {.base = "close"},
       .spanish = {.infinitive = "cerrar", .stressed_stem = "cierr"},
       .feminine = true,
       .complements = {{"the drawer", "el cajón"}, {"the suitcase", "la maleta"}, {"the shop", "la tienda"}}},

      {.english = {.base = "order"},
       .spanish = {.infinitive = "pedir", .stressed_stem = "pid", .weak_stem = "pid"},
       .feminine = false,
       .complements = {{"soup", "sopa"}, {"a pizza", "una pizza"}, {"chicken", "pollo"}}},

      // Irregular.
      {.english = {.base = "watch"},
       .spanish = {.infinitive = "ver", .present_first = "veo", .participle = "visto"},
       .feminine = true,
       .complements = {{"films", "películas"}, {"the news", "las noticias"}, {"a match", "un partido"}}},

      {.english = {.base = "make", .past = "made"},
       .spanish = {.infinitive = "hacer",
                   .present_first = "hago",
                   .strong_preterite = "hic",
                   .future_stem = "har",
                   .participle = "hecho"},
       .feminine = false,
       .complements = {{"a cake", "un pastel"}, {"plans", "planes"}, {"the bed", "la cama"}}},

      {.english = {.base = "bring", .past = "brought"},
       .spanish = {.infinitive = "traer", .present_first = "traigo", .strong_preterite = "traj"},
       .feminine = true,
       .complements = {{"a gift", "un regalo"}, {"the keys", "las llaves"}, {"wine", "vino"}}},

      {.english = {.base = "drive", .past = "drove", .participle = "driven"},
       .spanish = {.infinitive = "conducir", .present_first = "conduzco", .strong_preterite = "conduj"},
       .feminine = false,
       .complements = {{"a taxi", "un taxi"}, {"the car", "el coche"}, {"a bus", "un autobús"}}},

      {.english = {.base = "say", .past = "said"},
       .spanish = {.infinitive = "decir",
                   .stressed_stem = "dic",
                   .weak_stem = "dic",
                   .present_first = "digo",
                   .strong_preterite = "dij",
                   .future_stem = "dir",
                   .participle = "dicho"},
       .feminine = true,
       .complements = {{"hello", "hola"}, {"goodbye", "adiós"}, {"something", "algo"}}},
  };
  return table;
}

}  // namespace gb::nn::grammar
