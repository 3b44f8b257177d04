/* rest_half.c: see rest_half.h. Pure. */
#include "services/gateway/rest/rest_half.h"

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

size_t rest_half_strip(char *to, uint32_t fields, const char *text, size_t size)
{
    size_t written = 0, points = 0, most = 2 * (size_t) fields + 2;
    for (size_t i = 0; i < size; i++) {
        bool begins = ((uint8_t) text[i] & 0xc0) != 0x80; /* A code point of UTF-8. */
        if (is_blank(text[i]))
            continue;
        if (begins && points++ == most)
            break;
        if (written == REST_HALF_MAX(fields))
            break;
        to[written++] = text[i];
    }
    return written;
}

static bool is_numeric(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return true;
}

static char as_capital(char letter)
{
    return letter >= 'a' && letter <= 'z' ? (char) (letter - 'a' + 'A') : letter;
}

/* What stands on a field: C, G, M or W; 0: nothing that may. */
static char field_of(const char *text, bool numeric)
{
    static const char kinds[] = "CGMW";
    if (numeric)
        return text[0] == '0' && text[1] >= '0' && text[1] <= '3' ? kinds[text[1] - '0'] : 0;
    char first = as_capital(text[0]), second = as_capital(text[1]);
    if (first == 'O')
        first = '0';
    if (first == 'P')
        return second == 'C' ? 'C' : 0;
    bool known = second == 'C' || second == 'G' || second == 'M' || second == 'W';
    return first == '0' && known ? second : 0;
}

bool rest_half_same(const char *one, size_t one_size, const char *other, size_t other_size)
{
    bool one_numeric = is_numeric(one, one_size), other_numeric = is_numeric(other, other_size);
    if (one_size != other_size || one_size == 0 || one_size % 2 != 0)
        return false;
    for (size_t i = 0; i < one_size; i += 2) {
        char field = field_of(one + i, one_numeric);
        if (field == 0 || field != field_of(other + i, other_numeric))
            return false;
    }
    return true;
}

void rest_half_symbols(char *to, const uint8_t *map, size_t size, bool is_bare)
{
    static const char kinds[] = "CGMW";
    for (size_t i = 0; i + 1 < size; i += 2) {
        uint8_t code = map[i + 1];
        to[i] = code == '0' && !is_bare ? 'P' : '0';
        to[i + 1] = code >= '0' && code <= '3' ? kinds[code - '0'] : '?';
    }
}
