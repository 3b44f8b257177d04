/* engine_view.c: what a viewer sees and what a seat is asked, from words to bytes. Pure. */
#include <string.h>

#include "services/engine/engine_parts.h"
#include "wire/order.h"

/* A message holds 64 KiB; facts, keys and questions need their part of it. */
#define VIEW_BYTES_MAX (56u << 10)
#define ASKS_BYTES_MAX (4u << 10)

/* The scratch memory: words in its first half, bytes in its second. */
static struct sink scratch_sink(const struct engine *engine)
{
    return (struct sink){ .words = (word *) (void *) engine->scratch,
                          .capacity = (uint32_t) (engine->settings.room_bytes / 2 / sizeof(word)) };
}

static uint8_t *scratch_bytes(const struct engine *engine)
{
    return engine->scratch + engine->settings.room_bytes / 2;
}

bool engine_put_view(const struct engine *engine, const struct hosted *hosted, uint32_t viewer,
                     ProtobufCBinaryData *view, struct outbox *out)
{
    struct sink sink = scratch_sink(engine);
    uint8_t    *bytes = scratch_bytes(engine);
    match_view(hosted->match, viewer, &sink);
    size_t size =
        plan_encode(hosted->setup->game->view, sink.words, sink.used, bytes, VIEW_BYTES_MAX);
    view->len = size;
    view->data = outbox_copy(out, bytes, size);
    return size > 0;
}

size_t engine_write_asks(const struct engine *engine, const struct hosted *hosted, uint32_t seat,
                         const uint8_t **asks)
{
    const struct match_terms *terms = &hosted->setup->terms;
    struct sink               sink = scratch_sink(engine);
    uint8_t                  *bytes = scratch_bytes(engine);
    size_t                    used = 0;
    *asks = bytes;
    if (hosted->phase != PHASE_PLAYED || terms->game->asks == NULL)
        return 0;
    terms->game->asks(terms->setup, hosted->match->state, seat, &sink);
    for (const word *event = sink_first(&sink); event != NULL; event = sink_next(&sink, event)) {
        if (ASKS_BYTES_MAX - used < 4)
            break;
        size_t size =
            plan_encode_kind(terms->form->events, event_kind(event), event_fields(event),
                             event_length(event), bytes + used + 4, ASKS_BYTES_MAX - used - 4);
        if (size == 0)
            break;
        order_put(bytes + used, size, 4);
        used += 4 + size;
    }
    return used;
}

void engine_put_asks(const uint8_t *asks, size_t size, size_t *count, ProtobufCBinaryData **list,
                     struct outbox *out)
{
    const uint8_t *end = asks + size;
    *count = 0;
    for (const uint8_t *at = asks; at < end;) {
        size_t length = (size_t) order_get(&at, 4);
        at += length;
        ++*count;
    }
    *list = outbox_take(out, *count * sizeof(ProtobufCBinaryData));
    for (size_t i = 0; i < *count; i++) {
        size_t length = (size_t) order_get(&asks, 4);
        (*list)[i] = (ProtobufCBinaryData){ length, outbox_copy(out, asks, length) };
        asks += length;
    }
}
