/* player_plays.c: how a player chooses: mostly what he may, sometimes what he may not; see player.h. */
#include <string.h>

#include "contract/engine.pb-c.h"
#include "contract/nim.pb-c.h"
#include "core/outbox.h"
#include "player_private.h"
#include "wire/header.h"

#define COMMAND_BYTES_MAX 64

/* Nim's Take from the list of what is allowed: kind, args, then first value and count of each. */
static bool pick_take(const Arbiter__Engine__LegalAnswer *legal, uint64_t luck,
                      Arbiter__Nim__Take *take)
{
    uint32_t patterns = 0;
    for (size_t at = 0; at + 6 <= legal->n_patterns; at += 6)
        patterns += legal->patterns[at + 1] == 2;
    if (patterns == 0)
        return false;
    size_t   at = (size_t) (luck % patterns) * 6;
    uint32_t heap = legal->patterns[at + 2];
    uint32_t count = legal->patterns[at + 4];
    uint32_t counts = legal->patterns[at + 5];
    if (counts == 0 || heap >= legal->n_values || count + counts > legal->n_values)
        return false;
    take->has_heap = take->has_count = true;
    take->heap = (uint32_t) legal->values[heap];
    take->count = (uint32_t) legal->values[count + (luck >> 32) % counts];
    return true;
}

static size_t pack(const Arbiter__Nim__Take *take, uint8_t bytes[COMMAND_BYTES_MAX])
{
    Arbiter__Nim__Command command = ARBITER__NIM__COMMAND__INIT;
    command.kind_case = ARBITER__NIM__COMMAND__KIND_TAKE;
    command.take = (Arbiter__Nim__Take *) take;
    return arbiter__nim__command__pack(&command, bytes);
}

/* One command in eight is one that nobody may give: from a heap that is not there, or no command. */
static size_t nonsense(uint64_t luck, uint8_t bytes[COMMAND_BYTES_MAX])
{
    Arbiter__Nim__Take take = ARBITER__NIM__TAKE__INIT;
    if ((luck >> 8) % 4 == 0) {
        memset(bytes, 0xff, 9);
        return 9;
    }
    take.has_heap = take.has_count = true;
    take.heap = 99;
    take.count = 1;
    return pack(&take, bytes);
}

static size_t choose(const Arbiter__Engine__LegalAnswer *legal, uint64_t luck,
                     uint8_t bytes[COMMAND_BYTES_MAX])
{
    Arbiter__Nim__Take take = ARBITER__NIM__TAKE__INIT;
    if (luck % 8 == 0)
        return nonsense(luck, bytes);
    if (!legal->has_wait)
        return 0;
    if (legal->has_best && legal->best.len <= COMMAND_BYTES_MAX) {
        memcpy(bytes, legal->best.data, legal->best.len);
        return legal->best.len;
    }
    return pick_take(legal, luck >> 4, &take) ? pack(&take, bytes) : 0;
}

void player_plays(struct player *player, const struct client_event *event, uint64_t luck,
                  uint64_t now_ms, struct outbox *out)
{
    struct player_seat *held = player_seat(player, event->match_id, event->seat);
    if (held == NULL || event->request != held->legal)
        return;
    held->legal = 0;
    Arbiter__Engine__LegalAnswer *legal =
        arbiter__engine__legal_answer__unpack(NULL, event->size, event->bytes);
    if (legal == NULL)
        return;
    uint8_t bytes[COMMAND_BYTES_MAX];
    size_t  size = choose(legal, luck, bytes);
    if (size > 0)
        held->command =
            client_core_play(player->client, held->match_id, held->seat, bytes, size, now_ms, out);
    arbiter__engine__legal_answer__free_unpacked(legal, NULL);
}
