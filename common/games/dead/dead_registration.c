/* dead_registration.c: the conversation at the table before the match.
 *
 * Players register until the table is full or one of them starts. Anything else that anybody says,
 * and silence, breaks the registration off. The set-up's text, which a player gets upon registering,
 * and the names are the table's to keep and to send. */
#include "games/dead/dead.h"
#include "games/dead/dead_setup.h"

struct desk {
    uint32_t count;
    uint32_t status; /* enum registration_status. */
    uint32_t client[SEATS_MAX];
};

static void open_desk(const void *setup, void *desk)
{
    (void) setup;
    memset(desk, 0, sizeof(struct desk));
}

static bool is_registered(const struct desk *desk, uint32_t client)
{
    for (uint32_t i = 0; i < desk->count; i++)
        if (desk->client[i] == client)
            return true;
    return false;
}

static uint32_t enter(const struct dead_setup *setup, struct desk *desk, uint32_t client)
{
    if (is_registered(desk, client))
        return DEAD_NO_REGISTERED_ALREADY;
    desk->client[desk->count++] = client;
    if (desk->count == setup->players_max)
        desk->status = REGISTRATION_BEGINS;
    return ACCEPTED;
}

static void abort_registration(struct desk *desk, struct sink *out)
{
    desk->status = REGISTRATION_ABORTED;
    EMIT_BARE(out, TO_ALL, DEAD_REGISTRATION_ABORTED);
}

static uint32_t hear(const void *setup, void *at, uint32_t client, const struct command *command,
                     struct sink *out)
{
    struct desk *desk = at;
    if (desk->status != REGISTRATION_OPEN)
        return DEAD_NO_NOT_NOW;
    switch (command->kind) {
    case DEAD_REGISTER: return enter(setup, desk, client);
    case DEAD_START_GAME:
        if (!is_registered(desk, client))
            return DEAD_NO_NOT_REGISTERED;
        desk->status = REGISTRATION_BEGINS;
        return ACCEPTED;
    default: abort_registration(desk, out); return ACCEPTED;
    }
}

static void time_out(const void *setup, void *desk, struct sink *out)
{
    (void) setup;
    abort_registration(desk, out);
}

static enum registration_status tell_status(const void *setup, const void *desk)
{
    (void) setup;
    return ((const struct desk *) desk)->status;
}

static uint32_t list_seats(const void *setup, const void *at, uint32_t *clients)
{
    (void) setup;
    const struct desk *desk = at;
    memcpy(clients, desk->client, desk->count * sizeof *clients);
    return desk->count;
}

const struct registration dead_registration = {
    .state_bytes = sizeof(struct desk),
    .open = open_desk,
    .apply = hear,
    .expire = time_out,
    .status = tell_status,
    .seats = list_seats,
};
