/* frame.c: a message as a frame, and away. */
#include "shell/shell_private.h"
#include "wire/header.h"

#include <string.h>

static void count_out(struct shell *shell, uint16_t kind)
{
    shell->counters.out[kind < COUNTED_KINDS ? kind : 0]++;
}

bool shell_send(struct shell *shell, struct bus_socket *socket, uint64_t route,
                const struct effect *effect)
{
    size_t size =
        effect->body != NULL ? protobuf_c_message_get_packed_size(effect->body) : effect->size;
    if (HEADER_SIZE + size > BUS_FRAME_MAX) {
        shell->counters.too_large++;
        log_print(
            shell->settings.log, SAY_ERROR,
            "a message of kind %u would have %zu bytes, more than anybody takes; it is dropped",
            effect->header.kind, size);
        return false;
    }
    uint8_t *frame = bus_compose(socket, HEADER_SIZE + size);
    header_encode(frame, &effect->header);
    if (effect->body != NULL)
        (void) protobuf_c_message_pack(effect->body, frame + HEADER_SIZE);
    else if (size > 0)
        memcpy(frame + HEADER_SIZE, effect->bytes, size);
    if (!bus_send(socket, route)) {
        shell->counters.dropped++;
        return false;
    }
    count_out(shell, effect->header.kind);
    return true;
}
