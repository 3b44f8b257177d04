/* serve_places.c: those who watch a served match, and those who come back to their place. */
#include <stdlib.h>
#include <string.h>

#include "services/console/classroom/serve_door.h"

void serve_log_add(struct serve_log *log, const uint8_t *frame, size_t size)
{
    uint32_t length = (uint32_t) size;
    size_t   wanted = log->size + sizeof length + size;
    if (log->is_cut || wanted > SERVE_LOG_MAX) {
        log->is_cut = true;
        return;
    }
    if (wanted > log->room) {
        log->room = 2 * wanted;
        log->bytes = realloc(log->bytes, log->room);
        if (log->bytes == NULL)
            abort();
    }
    memcpy(log->bytes + log->size, &length, sizeof length);
    memcpy(log->bytes + log->size + sizeof length, frame, size);
    log->size = wanted;
}

void serve_log_close(struct serve_log *log)
{
    free(log->bytes);
    memset(log, 0, sizeof *log);
}

bool serve_log_send(struct serve_door *door, const struct serve_log *log, uint64_t route)
{
    uint32_t length;
    bool     is_sent = true;
    for (size_t at = 0; is_sent && at < log->size; at += sizeof length + length) {
        memcpy(&length, log->bytes + at, sizeof length);
        memcpy(bus_compose(door->socket, length), log->bytes + at + sizeof length, length);
        is_sent = bus_send(door->socket, route);
    }
    return is_sent;
}

static void drop_watcher(struct serve_door *door, uint32_t at)
{
    door->watcher[at] = door->watcher[--door->watchers];
}

void serve_tell_watchers(struct serve_door *door, const Arbiter__Plain__Down *down)
{
    size_t   size = arbiter__plain__down__get_packed_size(down);
    uint8_t *frame = malloc(size);
    if (frame == NULL)
        abort();
    (void) arbiter__plain__down__pack(down, frame);
    serve_log_add(&door->public_log, frame, size);
    for (uint32_t i = door->watchers; i-- > 0;) {
        memcpy(bus_compose(door->socket, size), frame, size);
        if (!bus_send(door->socket, door->watcher[i]))
            drop_watcher(door, i);
    }
    free(frame);
}

static bool is_watching(const struct serve_door *door, uint64_t route)
{
    for (uint32_t i = 0; i < door->watchers; i++)
        if (door->watcher[i] == route)
            return true;
    return false;
}

void serve_watch(struct serve_door *door, uint64_t route)
{
    if (plain_of_route(&door->plain, route) != NULL)
        serve_refuse(door, route, "You have a place here, and hear everything already.");
    else if (is_watching(door, route))
        serve_refuse(door, route, "You watch already.");
    else if (door->watchers == SERVE_WATCHERS_MAX || door->public_log.is_cut)
        serve_refuse(door, route, "There is no room for one more who watches.");
    else if (serve_log_send(door, &door->public_log, route))
        door->watcher[door->watchers++] = route;
}

void serve_keep_secret(struct serve_door *door, const struct plain_player *player,
                       const ProtobufCBinaryData *secret)
{
    size_t at = (size_t) (player - door->plain.player);
    if (secret->len == 0 || secret->len > SERVE_SECRET_MAX)
        return;
    memcpy(door->secret[at], secret->data, secret->len);
    door->secret_size[at] = secret->len;
}

static struct plain_player *find_place(struct serve_door *door, const ProtobufCBinaryData *secret)
{
    for (uint32_t i = 0; i < door->plain.count; i++)
        if (secret->len > 0 && door->secret_size[i] == secret->len &&
            memcmp(door->secret[i], secret->data, secret->len) == 0)
            return &door->plain.player[i];
    return NULL;
}

void serve_rejoin(struct serve_door *door, uint64_t route, const ProtobufCBinaryData *secret)
{
    struct plain_player *player = find_place(door, secret);
    if (plain_of_route(&door->plain, route) != NULL) {
        serve_refuse(door, route, "You have a place here already.");
        return;
    }
    if (player == NULL || player->has_left) {
        serve_refuse(door, route,
                     player == NULL ? "No place has this secret."
                                    : "This player has left the match.");
        return;
    }
    const struct serve_log *log = &door->log[player - door->plain.player];
    if (log->is_cut) {
        serve_refuse(door, route, "So much has happened that it was not kept.");
        return;
    }
    serve_record_moved(door->record, player->route, route);
    player->route = route;
    player->is_deaf = !serve_log_send(door, log, route);
}
