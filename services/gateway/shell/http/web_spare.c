/* web_spare.c: connections beyond the limits: who is full still says how he does, to who asks nothing else.
 *
 * Whoever looks after the gateway would take a full one for a dead one, and end it or send everybody elsewhere. What a
 * connection asks is known only when it has been let in: so a few more are, for a moment, and not counted as connections. */
#include <string.h>

#include "services/gateway/shell/http/web_private.h"

#define WORD_MS 1000

static struct web_spare *spare_of(struct web *web, const struct lws *wsi)
{
    for (uint32_t i = 0; i < WEB_SPARES_MAX; i++)
        if (web->spares[i].wsi == wsi)
            return &web->spares[i];
    return NULL;
}

bool web_spare_is_free(struct web *web)
{
    return spare_of(web, NULL) != NULL;
}

void web_spare_take(struct web *web, struct lws *wsi)
{
    struct web_spare *spare = spare_of(web, NULL);
    if (spare == NULL)
        return;
    *spare = (struct web_spare){ .wsi = wsi, .is_full = web_is_full(web) };
    lws_set_timer_usecs(wsi, (lws_usec_t) WORD_MS * 1000);
}

bool web_spare_is(struct web *web, const struct lws *wsi)
{
    return spare_of(web, wsi) != NULL;
}

bool web_spare_may(struct web *web, const struct lws *wsi, const char *path, size_t size)
{
    struct web_spare *spare = spare_of(web, wsi);
    if (spare == NULL)
        return true;
    bool is_health = web_page_is_health(path, size);
    spare->is_answered = spare->is_answered || is_health;
    return is_health;
}

void web_spare_give_back(struct web *web, const struct lws *wsi)
{
    struct web_spare *spare = spare_of(web, wsi);
    if (spare == NULL)
        return;
    web->counters.turned_away += !spare->is_answered;
    web->counters.full += !spare->is_answered && spare->is_full;
    *spare = (struct web_spare){ .wsi = NULL };
}
