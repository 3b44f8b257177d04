/* hops_fuzz.c: any bytes as a proxy's X-Forwarded-For: the visitor is an address that stands there, and no proxy's
 * word behind it is passed over.
 *
 * A line with a list of networks comes first, then the header. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "services/gateway/shell/http/hops.h"

/* The last word of the header, as an address. */
static bool last_word(const char *text, size_t size, struct address *last)
{
    size_t from = size;
    while (from > 0 && text[from - 1] != ',')
        from--;
    while (from < size && (text[from] == ' ' || text[from] == '\t'))
        from++;
    while (size > from && (text[size - 1] == ' ' || text[size - 1] == '\t'))
        size--;
    return address_read(last, text + from, size - from);
}

static void try_header(const struct networks *proxies, const char *text, size_t size)
{
    struct networks none = { .count = 0 };
    struct address  visitor, last, direct;
    bool            has_last = last_word(text, size, &last);
    bool            is_found = hops_visitor(proxies, text, size, &visitor);
    assert(is_found == has_last);
    if (!is_found)
        return;
    assert(hops_visitor(&none, text, size, &direct) && memcmp(&direct, &last, sizeof last) == 0);
    if (!networks_hold(proxies, &last))
        assert(memcmp(&visitor, &last, sizeof last) == 0);
    /* Whatever a visitor writes before what our proxies wrote changes nothing, unless the visitor
     * is a proxy, too. */
    char *forged = malloc(size + 16);
    assert(forged != NULL);
    memcpy(forged, "198.51.100.7, ", 14);
    memcpy(forged + 14, text, size);
    struct address again;
    assert(hops_visitor(proxies, forged, size + 14, &again));
    if (!networks_hold(proxies, &visitor))
        assert(memcmp(&again, &visitor, sizeof visitor) == 0);
    free(forged);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t  *line = size > 0 ? memchr(bytes, '\n', size) : NULL;
    size_t          before = line != NULL ? (size_t) (line - bytes) : size;
    size_t          left = line != NULL ? size - before - 1 : 0;
    char           *list = calloc(1, before + 1), *header = malloc(left + 1);
    struct networks proxies;
    struct text     fault;
    assert(list != NULL && header != NULL);
    if (before > 0)
        memcpy(list, bytes, before);
    if (left > 0)
        memcpy(header, line + 1, left);
    if (networks_read(&proxies, list, &fault)) {
        char *exact = malloc(left > 0 ? left : 1); /* A read one byte too far is seen. */
        assert(exact != NULL && proxies.count <= NETWORKS_MAX);
        memcpy(exact, header, left);
        try_header(&proxies, exact, left);
        free(exact);
    } else {
        assert(fault.size > 0);
    }
    free(list);
    free(header);
    return 0;
}
