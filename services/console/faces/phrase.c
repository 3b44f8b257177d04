/* phrase.c: languages, texts beside set-ups, and sentences with names put in. */
#include "services/console/faces/phrase.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/command/setups.h"
#include "services/console/command/terminal.h"
#include "services/console/faces/face.h"
#include "services/console/faces/worded.h"

/* The first of these that is set and not empty, as locales are looked up. */
static const char *locale_of(const char *category)
{
    const char *names[] = { "LC_ALL", category, "LANG" };
    for (uint32_t i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0')
            return value;
    }
    return "";
}

enum language phrase_language(const char *asked)
{
    const char *from = asked != NULL ? asked : locale_of("LC_MESSAGES");
    return strncmp(from, "de", 2) == 0 ? GERMAN : ENGLISH;
}

bool phrase_knows_unicode(void)
{
    const char *from = locale_of("LC_CTYPE");
    return strcasestr(from, "utf-8") != NULL || strcasestr(from, "utf8") != NULL;
}

/* NAME.json has its texts in NAME.texts.json. */
static bool texts_path(const char *game, const char *setup_name, char path[PATH_MAX])
{
    struct setup_place place;
    bool               is_file = strpbrk(setup_name, "/.") != NULL;
    if (!is_file && !setups_find(game, setup_name, &place))
        return false;
    const char *from = is_file ? setup_name : place.path;
    size_t      size = strlen(from);
    if (size < 5 || strcmp(from + size - 5, ".json") != 0)
        return false;
    int length = snprintf(path, PATH_MAX, "%.*s.texts.json", (int) (size - 5), from);
    return length > 0 && length < PATH_MAX;
}

void phrase_read_texts(struct phrase *phrase, const char *setup_name)
{
    char path[PATH_MAX];
    json_decref(phrase->texts);
    phrase->texts = NULL;
    if (setup_name != NULL && phrase->wire != NULL &&
        texts_path(phrase->wire->game->name, setup_name, path))
        phrase->texts = json_load_file(path, 0, NULL);
}

/* Whether the set-up of this name is this text. */
static bool is_setup(const char *game, const char *name, const char *text)
{
    struct setup_place place;
    size_t             size = strlen(text), read = 0;
    if (!setups_find(game, name, &place))
        return false;
    FILE *file = fopen(place.path, "r");
    char *bytes = malloc(size + 1);
    if (file != NULL && bytes != NULL)
        read = fread(bytes, 1, size + 1, file);
    bool is_same = bytes != NULL && read == size && memcmp(bytes, text, size) == 0;
    free(bytes);
    if (file != NULL)
        (void) fclose(file);
    return is_same;
}

void phrase_find_texts(struct phrase *phrase, const char *setup)
{
    struct text names;
    const char *game = phrase->wire->game->name;
    if (!setups_names(game, &names))
        return;
    for (char *name = names.bytes, *next = name; next != NULL; name = next) {
        size_t size = strcspn(name, ",");
        next = name[size] == ',' ? name + size + 2 : NULL;
        name[size] = '\0';
        if (!is_setup(game, name, setup))
            continue;
        phrase_read_texts(phrase, name);
        return;
    }
}

void phrase_close(struct phrase *phrase)
{
    json_decref(phrase->texts);
    phrase->texts = NULL;
}

const char *phrase_say(const struct phrase *phrase, const char *english, const char *german)
{
    return phrase->language == GERMAN ? german : english;
}

/* What stands for a character beyond ASCII where there are no others; NULL: a question mark. */
static const char *plain(const char *bytes, size_t size)
{
    static const struct {
        const char *from, *to;
    } known[] = { { "ä", "ae" }, { "ö", "oe" }, { "ü", "ue" }, { "Ä", "Ae" }, { "Ö", "Oe" },
                  { "Ü", "Ue" }, { "ß", "ss" }, { "é", "e" },  { "è", "e" },  { "à", "a" },
                  { "–", "-" },  { "—", "-" },  { "−", "-" },  { "„", "\"" }, { "“", "\"" },
                  { "”", "\"" }, { "‘", "'" },  { "’", "'" },  { "·", "." },  { "…", "..." },
                  { "×", "x" },  { "▓", "#" },  { "»", "\"" }, { "«", "\"" }, { "→", "->" } };
    for (uint32_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].from) == size && memcmp(known[i].from, bytes, size) == 0)
            return known[i].to;
    return "?";
}

static void put_plain(FILE *out, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        size_t step = 1;
        while (i + step < size && ((unsigned char) bytes[i + step] & 0xc0) == 0x80)
            step++;
        if (((unsigned char) bytes[i] & 0x80) != 0)
            fputs(plain(bytes + i, step), out);
        else
            terminal_put(out, bytes + i, step);
        i += step;
    }
}

void phrase_bytes(const struct phrase *phrase, FILE *out, const char *bytes, size_t size)
{
    if (phrase->is_ascii)
        put_plain(out, bytes, size);
    else
        terminal_put(out, bytes, size);
}

void phrase_text(const struct phrase *phrase, FILE *out, const char *string)
{
    phrase_bytes(phrase, out, string, strlen(string));
}

const char *phrase_lookup(const struct phrase *phrase, const char *group, word key,
                          const char *name, const char *part)
{
    char    number[24];
    json_t *at = json_object_get(phrase->texts, phrase->language == GERMAN ? "de" : "en");
    (void) snprintf(number, sizeof number, "%" PRId64, key);
    if (group != NULL)
        at = json_object_get(at, group);
    at = json_object_get(at, name != NULL ? name : number);
    if (part != NULL)
        at = json_object_get(at, part);
    return json_string_value(at);
}

void phrase_player(const struct phrase *phrase, FILE *out, uint32_t seat)
{
    if (seat < SEATS_MAX && phrase->players[seat][0] != '\0')
        phrase_text(phrase, out, phrase->players[seat]);
    else
        fprintf(out, "%s %" PRIu32, phrase_say(phrase, "Seat", "Platz"), seat + 1);
}

static void put_number(const struct phrase *phrase, FILE *out, word value, bool is_signed)
{
    if (is_signed && value < 0)
        phrase_text(phrase, out, "−");
    else if (is_signed)
        fputc('+', out);
    fprintf(out, "%" PRId64, is_signed && value < 0 ? -value : value);
}

static void put_times(const struct phrase *phrase, FILE *out, word value)
{
    if (value == 1)
        fputs(phrase_say(phrase, "once", "einmal"), out);
    else if (value == 2)
        fputs(phrase_say(phrase, "twice", "zweimal"), out);
    else
        fprintf(out, "%" PRId64 "%s", value, phrase_say(phrase, " times", "-mal"));
}

static void put_field(const struct phrase *phrase, FILE *out, char letter, word value)
{
    const struct face *face = face_of(phrase);
    switch (letter) {
    case 'p': phrase_player(phrase, out, (uint32_t) value); break;
    case 'n': put_number(phrase, out, value, false); break;
    case 'e': put_number(phrase, out, value + 1, false); break;
    case 's': put_number(phrase, out, value, true); break;
    case 't': put_times(phrase, out, value); break;
    default:
        if (face != NULL && face->field != NULL)
            face->field(phrase, out, letter, value);
        break;
    }
}

void phrase_put(const struct phrase *phrase, FILE *out, const struct saying *saying,
                const word *fields, uint32_t count)
{
    const char *at = saying->in[phrase->language];
    while (*at != '\0') {
        size_t plainly = strcspn(at, "{");
        phrase_bytes(phrase, out, at, plainly);
        at += plainly;
        if (*at == '\0')
            break;
        bool     has_field = at[2] != '}';
        uint32_t field = has_field ? (uint32_t) (at[2] - '0') : count;
        put_field(phrase, out, at[1], field < count ? fields[field] : ABSENT);
        at += has_field ? 4 : 3;
    }
}

bool phrase_noun(const struct phrase *phrase, FILE *out, enum phrase_noun noun)
{
    static const char *const names[] = { "title", "story", "goal" };
    const char              *text = phrase_lookup(phrase, NULL, 0, names[noun], NULL);
    if (text != NULL)
        phrase_text(phrase, out, text);
    return text != NULL;
}

bool phrase_event(const struct phrase *phrase, FILE *out, uint32_t kind, const word *fields,
                  uint32_t count)
{
    const struct face *face = face_of(phrase);
    return face != NULL ? face->event(phrase, out, kind, fields, count)
                        : worded_event(phrase, out, kind, fields, count);
}

bool phrase_goes_on(const struct phrase *phrase, FILE *out, uint32_t kind, const word *before,
                    const word *fields, uint32_t count)
{
    const struct face *face = face_of(phrase);
    return face != NULL && face->goes_on != NULL &&
           face->goes_on(phrase, out, kind, before, fields, count);
}

bool phrase_is_worded(const struct phrase *phrase)
{
    return face_of(phrase) == NULL;
}

void phrase_deed(const struct phrase *phrase, FILE *out, const struct command *command)
{
    const struct face *face = face_of(phrase);
    if (face == NULL)
        worded_group(phrase, out, command);
    else if (command->kind != 0 && command->kind < face->game->command_kinds)
        face->deed(phrase, out, command);
}

void phrase_choice(const struct phrase *phrase, FILE *out, const struct command *command)
{
    const struct face *face = face_of(phrase);
    if (face == NULL)
        worded_command(phrase, out, command);
    else if (face->choice != NULL && command->kind < face->game->command_kinds)
        face->choice(phrase, out, command);
}

void phrase_command(const struct phrase *phrase, FILE *out, const struct command *command)
{
    char  *choice = NULL;
    size_t size = 0;
    FILE  *words = open_memstream(&choice, &size);
    if (words == NULL)
        abort();
    phrase_choice(phrase, words, command);
    fclose(words);
    if (!phrase_is_worded(phrase)) {
        phrase_deed(phrase, out, command);
        fputs(size > 0 ? ": " : "", out);
    }
    fputs(choice, out);
    free(choice);
}
