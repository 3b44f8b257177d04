/* vocabulary.c: reads the words that are compiled in, once each, and looks into them. */
#include "services/console/faces/vocabulary.h"

#include <string.h>

#include "words_list.h"

static struct {
    const char          *game;
    const unsigned char *bytes;
    json_t              *words; /* NULL: not asked for yet. */
} known[] = {
#define WORDS(name) { #name, words_##name, NULL },
    WORDS_LIST
#undef WORDS
    { NULL, NULL, NULL },
};

/* The words of a game by name; NULL: it has none. */
static const json_t *words_of_game(const char *game)
{
    uint32_t at = 0;
    while (known[at].game != NULL && strcmp(known[at].game, game) != 0)
        at++;
    if (known[at].game != NULL && known[at].words == NULL)
        known[at].words = json_loads((const char *) known[at].bytes, JSON_REJECT_DUPLICATES, NULL);
    return known[at].words;
}

static const json_t *words_of(const struct phrase *phrase)
{
    if (phrase->words != NULL)
        return phrase->words;
    return phrase->wire != NULL ? words_of_game(phrase->wire->game->name) : NULL;
}

/* A part of the words in a language: WORDS[language][group], or WORDS[language] without a group. */
static const json_t *part(const struct phrase *phrase, enum language language, const char *group)
{
    const json_t *words = json_object_get(words_of(phrase), "words");
    const json_t *of = json_object_get(words, language == GERMAN ? "de" : "en");
    return group != NULL ? json_object_get(of, group) : of;
}

/* In the reader's language, else in English. */
static const json_t *look(const struct phrase *phrase, const char *group, const char *key)
{
    const json_t *found = json_object_get(part(phrase, phrase->language, group), key);
    return found != NULL ? found : json_object_get(part(phrase, ENGLISH, group), key);
}

const char *vocabulary_word(const struct phrase *phrase, const char *group, const char *key)
{
    return json_string_value(look(phrase, group, key));
}

const char *vocabulary_value(const struct phrase *phrase, const char *field, const char *value)
{
    enum language languages[] = { phrase->language, ENGLISH };
    const char   *found = NULL;
    for (uint32_t i = 0; i < 2 && found == NULL; i++) {
        const json_t *values = json_object_get(part(phrase, languages[i], "values"), field);
        found = json_string_value(json_object_get(values, value));
    }
    return found;
}

const json_t *vocabulary_rules(const struct phrase *phrase)
{
    return look(phrase, NULL, "rules");
}

const char *vocabulary_play_now(const char *game)
{
    return json_string_value(json_object_get(words_of_game(game), "play_now"));
}

static enum field_kind kind_called(const char *name)
{
    static const char *const names[] = {
        [FIELD_NUMBER] = "number",   [FIELD_SEAT] = "seat",         [FIELD_TURN] = "turn",
        [FIELD_WINNERS] = "winners", [FIELD_PLACE] = "place",       [FIELD_PILES] = "piles",
        [FIELD_IN] = "in",           [FIELD_PER_SEAT] = "per_seat", [FIELD_HIDDEN] = "hidden",
    };
    for (uint32_t kind = 0; kind < sizeof names / sizeof names[0]; kind++)
        if (names[kind] != NULL && strcmp(names[kind], name) == 0)
            return (enum field_kind) kind;
    return FIELD_NUMBER;
}

/* { "place": "heaps" } and its like; NULL: it is none of them. */
static const char *place_in(const json_t *use, const char **list)
{
    static const char *const ofs[] = { "place", "column", "row" };
    for (uint32_t i = 0; i < sizeof ofs / sizeof ofs[0]; i++) {
        *list = json_string_value(json_object_get(use, ofs[i]));
        if (*list != NULL)
            return ofs[i];
    }
    return NULL;
}

static struct field_use grid_in(const json_t *use, const json_t *grid)
{
    const char *of = json_string_value(json_object_get(use, "of"));
    json_int_t  columns = json_integer_value(grid);
    return (struct field_use){ .kind = FIELD_GRID,
                               .columns =
                                   columns > 0 && columns <= INT32_MAX ? (uint32_t) columns : 0,
                               .columns_by = json_string_value(grid),
                               .of_seats = of != NULL && strcmp(of, "seat") == 0 };
}

struct field_use vocabulary_field(const struct phrase *phrase, const char *name)
{
    const json_t    *use = json_object_get(json_object_get(words_of(phrase), "fields"), name);
    const json_t    *grid = json_object_get(use, "grid");
    struct field_use found = { .kind = FIELD_NUMBER };
    if (json_is_string(use))
        found.kind = kind_called(json_string_value(use));
    else if (grid != NULL)
        found = grid_in(use, grid);
    else if ((found.of = place_in(use, &found.list)) != NULL)
        found.kind = FIELD_PLACE;
    return found;
}

bool vocabulary_chooses(const struct phrase *phrase, const char *of, const char *list)
{
    json_t     *fields = json_object_get(words_of(phrase), "fields");
    const char *name;
    json_t     *use;
    json_object_foreach(fields, name, use)
    {
        const char *chosen = json_string_value(json_object_get(use, of));
        if (chosen != NULL && strcmp(chosen, list) == 0)
            return true;
    }
    return false;
}
