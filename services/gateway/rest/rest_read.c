/* rest_read.c: see rest_read.h. Pure. */
#include "services/gateway/rest/rest_read.h"

#include <string.h>

#include "base/text.h"
#include "wire/utf8.h"

/* Element names; the first letter may be small, but for ID. */
static const struct {
    const char       *name;
    enum rest_element element;
} names[] = {
    { "ID", REST_ID },
    { "FirstName", REST_FIRST_NAME },
    { "SurName", REST_SUR_NAME },
    { "SecondName", REST_SUR_NAME },
    { "MatriculationNumber", REST_NUMBER },
    { "Matrikelnummer", REST_NUMBER },
    { "MapHalf", REST_MAP_HALF },
    { "PlayerPositionX", REST_PLAYER_X },
    { "PlayerPositionY", REST_PLAYER_Y },
    { "WantedPositionX", REST_WANTED_X },
    { "WantedPositionY", REST_WANTED_Y },
    { "TurnsUntilMovement", REST_TURNS },
    { "TurnsLeft", REST_TURNS },
};
#define INT_NUMBER 5

static char as_capital(char letter)
{
    return letter >= 'a' && letter <= 'z' ? (char) (letter - 'a' + 'A') : letter;
}

static char as_small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char) (letter - 'A' + 'a') : letter;
}

/* The same but for the size of the first letter. */
static bool is_named(const char *name, size_t size, const char *wanted)
{
    return size == text_length(wanted) && as_capital(name[0]) == wanted[0] &&
           memcmp(name + 1, wanted + 1, size - 1) == 0;
}

enum rest_element rest_element_of(const char *name, size_t size, bool *is_int)
{
    if (size == 2 && name[0] == 'i')
        return REST_ELEMENTS;
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_named(name, size, names[i].name)) {
            *is_int = *is_int || i == INT_NUMBER;
            return names[i].element;
        }
    return REST_ELEMENTS;
}

Arbiter__Gateway__RestPath rest_path_of(const char *path, size_t size)
{
    static const struct {
        const char                *name;
        Arbiter__Gateway__RestPath path;
    } paths[] = {
        { "/NewPlayer", ARBITER__GATEWAY__REST_PATH__REST_PATH_NEW_PLAYER },
        { "/MapCreation", ARBITER__GATEWAY__REST_PATH__REST_PATH_MAP },
        { "/Updates", ARBITER__GATEWAY__REST_PATH__REST_PATH_UPDATE },
        { "/Update", ARBITER__GATEWAY__REST_PATH__REST_PATH_UPDATE },
        { "/ConnectionProblem", ARBITER__GATEWAY__REST_PATH__REST_PATH_PROBLEM },
        { "/Problem", ARBITER__GATEWAY__REST_PATH__REST_PATH_PROBLEM },
    };
    if (size > 1 && path[size - 1] == '/')
        size--;
    for (uint32_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (text_is(path, size, paths[i].name))
            return paths[i].path;
    return ARBITER__GATEWAY__REST_PATH__REST_PATH_UNSPECIFIED;
}

static bool is_small(const char *text, size_t size, const char *wanted)
{
    if (size != text_length(wanted))
        return false;
    for (size_t i = 0; i < size; i++)
        if (as_small(text[i]) != wanted[i])
            return false;
    return true;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static struct rest_text trimmed(struct rest_text text)
{
    while (text.size > 0 && is_blank(text.text[0])) {
        text.text++;
        text.size--;
    }
    while (text.size > 0 && is_blank(text.text[text.size - 1]))
        text.size--;
    return text;
}

bool rest_type_fits(const char *type, size_t size)
{
    struct rest_text media = { type, 0, 1 };
    if (type == NULL)
        return true;
    while (media.size < size && type[media.size] != ';')
        media.size++;
    media = trimmed(media);
    return media.size == 0 || is_small(media.text, media.size, "application/xml") ||
           is_small(media.text, media.size, "text/xml");
}

/* xs:int: a sign, zeros in front; nothing else. */
static bool read_int(struct rest_text text, int32_t *number)
{
    text = trimmed(text);
    bool    is_minus = text.size > 0 && text.text[0] == '-';
    size_t  at = text.size > 0 && (is_minus || text.text[0] == '+') ? 1 : 0;
    int64_t sum = 0;
    if (at == text.size)
        return false;
    for (; at < text.size; at++) {
        if (text.text[at] < '0' || text.text[at] > '9')
            return false;
        sum = sum * 10 + (text.text[at] - '0');
        if (sum > (int64_t) INT32_MAX + 1)
            return false;
    }
    sum = is_minus ? -sum : sum;
    *number = (int32_t) sum;
    return sum <= INT32_MAX;
}

/* An element that stands there once. */
static bool is_once(const struct rest_paper *paper, enum rest_element element)
{
    return paper->element[element].times == 1;
}

static bool take_int(const struct rest_paper *paper, enum rest_element element, int32_t *number)
{
    return is_once(paper, element) && read_int(paper->element[element], number);
}

/* A blank that does not break stands in some people's names, and there was no rule against it in 2017. */
#define NO_BREAK_SPACE 0xa0

/* 1 to 30 characters that are seen. */
static bool is_name(struct rest_text text)
{
    const uint8_t *bytes = (const uint8_t *) text.text;
    uint32_t       points = 0, code, before = 0;
    for (size_t at = 0; at < text.size; points++, before = code) {
        size_t step = utf8_character(bytes + at, text.size - at, &code);
        if (step != 0 && code != NO_BREAK_SPACE &&
            (!utf8_is_of_name(code) || !utf8_may_follow(before, code)))
            return false;
        at += step != 0 ? step : 1; /* What is no character was judged by who read the XML. */
    }
    return points >= 1 && points <= 30;
}

static bool is_digits(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return size > 0;
}

/* a?[0-9]{7,8}; as a Java int it has lost its zeros. */
static size_t put_number(const struct rest_paper *paper, char *to)
{
    struct rest_text text = trimmed(paper->element[REST_NUMBER]);
    size_t           zeros = 0;
    if (paper->is_int_number && is_digits(text.text, text.size) && text.size <= 9) {
        while (zeros + text.size < 8)
            to[zeros++] = '0';
    } else {
        size_t first = text.size > 0 && text.text[0] == 'a' ? 1 : 0;
        size_t digits = text.size - first;
        if (digits < 7 || digits > 8 || !is_digits(text.text + first, digits))
            return 0;
    }
    memcpy(to + zeros, text.text, text.size);
    return zeros + text.size;
}

/* Three lines, as the game's registration wants them. */
static bool put_person(const struct rest_paper *paper, char *to)
{
    size_t at = 0;
    if (!is_once(paper, REST_FIRST_NAME) || !is_once(paper, REST_SUR_NAME) ||
        !is_once(paper, REST_NUMBER))
        return false;
    for (uint32_t i = REST_FIRST_NAME; i <= REST_SUR_NAME; i++) {
        struct rest_text name = trimmed(paper->element[i]);
        if (!is_name(name))
            return false;
        memcpy(to + at, name.text, name.size);
        at += name.size;
        to[at++] = '\n';
    }
    size_t size = put_number(paper, to + at);
    to[at + size] = '\0';
    return size > 0;
}

static bool put_half(const struct rest_paper *paper, char *to)
{
    const struct rest_text *half = &paper->element[REST_MAP_HALF];
    if (!is_once(paper, REST_MAP_HALF))
        return false;
    if (half->size > 0)
        memcpy(to, half->text, half->size);
    to[half->size] = '\0';
    return true;
}

static bool take_update(const struct rest_paper *paper, Arbiter__Gateway__RestAsk *ask)
{
    return take_int(paper, REST_PLAYER_X, &ask->player_x) &&
           take_int(paper, REST_PLAYER_Y, &ask->player_y) &&
           take_int(paper, REST_WANTED_X, &ask->wanted_x) &&
           take_int(paper, REST_WANTED_Y, &ask->wanted_y) &&
           take_int(paper, REST_TURNS, &ask->turns);
}

static const char *root_of(Arbiter__Gateway__RestPath path)
{
    switch (path) {
    case ARBITER__GATEWAY__REST_PATH__REST_PATH_NEW_PLAYER: return "NewPlayerRequest";
    case ARBITER__GATEWAY__REST_PATH__REST_PATH_MAP: return "CreateNewMapRequest";
    case ARBITER__GATEWAY__REST_PATH__REST_PATH_UPDATE: return "UpdateRequest";
    default: return "ConnectionProblemRequest";
    }
}

static bool take_content(const struct rest_paper *paper, struct rest_words *words,
                         Arbiter__Gateway__RestAsk *ask)
{
    switch (ask->path) {
    case ARBITER__GATEWAY__REST_PATH__REST_PATH_NEW_PLAYER:
        ask->person = words->person;
        return put_person(paper, words->person);
    case ARBITER__GATEWAY__REST_PATH__REST_PATH_MAP:
        ask->half = words->half;
        return put_half(paper, words->half);
    case ARBITER__GATEWAY__REST_PATH__REST_PATH_UPDATE: return take_update(paper, ask);
    default: return true;
    }
}

void rest_read(const struct rest_paper *paper, Arbiter__Gateway__RestPath path,
               struct rest_words *words, Arbiter__Gateway__RestAsk *ask)
{
    *ask = (Arbiter__Gateway__RestAsk) ARBITER__GATEWAY__REST_ASK__INIT;
    ask->has_path = ask->has_malformed = true;
    ask->path = path;
    ask->malformed = true;
    ask->has_cut = ask->cut = paper->is_cut && !paper->is_whole;
    if (!paper->is_whole)
        return;
    size_t root = text_length(paper->root);
    ask->has_impl = root > 0;
    ask->impl = root > 0 && paper->root[0] >= 'a' && paper->root[0] <= 'z';
    ask->has_id = take_int(paper, REST_ID, &ask->id);
    bool is_good = is_named(paper->root, root, root_of(path));
    is_good = take_content(paper, words, ask) && is_good;
    ask->malformed = !is_good;
}

/* The declaration. */

/* The value of encoding="..." within a declaration; false: it says nothing of it. */
static bool find_encoding(const char *text, size_t size, struct rest_text *value)
{
    static const char word[] = "encoding";
    for (size_t i = 1; i + sizeof word - 1 < size; i++) { /* It begins with "<?xml". */
        if (memcmp(text + i, word, sizeof word - 1) != 0 || !is_blank(text[i - 1]))
            continue;
        size_t at = i + sizeof word - 1;
        while (at < size && (is_blank(text[at]) || text[at] == '='))
            at++;
        if (at >= size || (text[at] != '"' && text[at] != '\''))
            return false;
        char quote = text[at++];
        value->text = text + at;
        while (at < size && text[at] != quote)
            at++;
        value->size = (size_t) (text + at - value->text);
        return true;
    }
    return false;
}

static bool is_ours(struct rest_text encoding)
{
    return is_small(encoding.text, encoding.size, "utf-8") ||
           is_small(encoding.text, encoding.size, "us-ascii") ||
           is_small(encoding.text, encoding.size, "utf-0");
}

const char *rest_skip_declaration(const char *text, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf", begin[] = "<?xml";
    const char       *at = text, *end = text + size;
    struct rest_text  encoding = { NULL, 0, 0 };
    if (!utf8_is_string((const uint8_t *) text, size))
        return NULL;
    if (size >= 3 && memcmp(at, mark, 3) == 0)
        at += 3;
    if ((size_t) (end - at) < sizeof begin || memcmp(at, begin, sizeof begin - 1) != 0 ||
        !is_blank(at[sizeof begin - 1]))
        return at;
    const char *close = at;
    while (close + 1 < end && !(close[0] == '?' && close[1] == '>'))
        close++;
    if (close + 1 >= end)
        return NULL;
    if (find_encoding(at, (size_t) (close - at), &encoding) && !is_ours(encoding))
        return NULL;
    return close + 2;
}
