/* hops.c: see hops.h. */
#include "services/gateway/shell/http/hops.h"

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t';
}

enum hops_found hops_visitor(const struct networks *proxies, const char *text, size_t size,
                             struct address *visitor)
{
    enum hops_found found = HOPS_NOBODY;
    for (size_t end = size;;) {
        size_t from = end;
        while (from > 0 && text[from - 1] != ',')
            from--;
        size_t         first = from, last = end;
        struct address hop;
        while (first < last && is_blank(text[first]))
            first++;
        while (last > first && is_blank(text[last - 1]))
            last--;
        if (!address_read(&hop, text + first, last - first))
            return found;
        *visitor = hop;
        found = from == 0 ? HOPS_VISITOR : HOPS_MORE;
        if (from == 0 || !networks_hold(proxies, &hop))
            return found;
        end = from - 1;
    }
}
