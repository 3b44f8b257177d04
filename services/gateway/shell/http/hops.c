/* hops.c: see hops.h. */
#include "services/gateway/shell/http/hops.h"

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t';
}

bool hops_visitor(const struct networks *proxies, const char *text, size_t size,
                  struct address *visitor)
{
    bool is_found = false;
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
            return is_found;
        *visitor = hop;
        is_found = true;
        if (from == 0 || !networks_hold(proxies, &hop))
            return true;
        end = from - 1;
    }
}
