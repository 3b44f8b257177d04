/* perform.c: effects, one after the other, in the order the core wanted them. */
#include <string.h>

#include "shell/shell_private.h"

static const char *lacking = "the core asked for a door or connection that is not there";

static struct bus_socket *socket_of(const struct shell *shell, const struct effect *effect)
{
    if (effect->door == DOOR_PEER)
        return effect->route < SHELL_CONNECTIONS_MAX ? shell->connections[effect->route].socket
                                                     : NULL;
    return effect->door < PEERS_DOORS ? shell->doors[effect->door] : NULL;
}

static void send_one(struct shell *shell, const struct effect *effect)
{
    if (effect->door == DOOR_SIDE && shell->settings.side != NULL) {
        shell->settings.side->send(shell->settings.side->asked, effect);
        return;
    }
    struct bus_socket *socket = socket_of(shell, effect);
    if (socket == NULL)
        shell->counters.dropped++;
    else
        (void) shell_send(shell, socket, effect->route, effect);
}

static void publish(struct shell *shell, const struct effect *effect)
{
    if (shell->doors[DOOR_STREAM] == NULL)
        shell->counters.dropped++;
    else
        (void) shell_send(shell, shell->doors[DOOR_STREAM], 0, effect);
}

static void disconnect(struct shell *shell, uint64_t number)
{
    if (number >= SHELL_CONNECTIONS_MAX)
        return;
    bus_close(&shell->connections[number].socket);
    shell->is_repoll = true;
}

static void connect_to(struct shell *shell, const struct effect *effect)
{
    struct text fault;
    if (effect->route >= SHELL_CONNECTIONS_MAX) {
        log_say(shell->settings.log, SAY_ERROR, lacking);
        return;
    }
    disconnect(shell, effect->route);
    struct connection *connection = &shell->connections[effect->route];
    struct bus_place   place = { .kind = effect->door == DOOR_STREAM ? BUS_SUB : BUS_DEALER,
                                 .address = effect->address,
                                 .key = effect->key };
    connection->door = effect->door;
    memcpy(connection->key, effect->key, sizeof connection->key);
    connection->socket = bus_open(shell->settings.bus, &place, &fault);
    if (connection->socket == NULL)
        log_say(shell->settings.log, SAY_WARNING, fault.bytes);
    else
        log_print(shell->settings.log, SAY_DEBUG, "connecting to %s", effect->address);
}

static void listen_to(struct shell *shell, const struct effect *effect)
{
    struct bus_socket *socket =
        effect->route < SHELL_CONNECTIONS_MAX ? shell->connections[effect->route].socket : NULL;
    if (socket == NULL || shell->connections[effect->route].door != DOOR_STREAM)
        log_say(shell->settings.log, SAY_WARNING, lacking);
    else if (effect->kind == EFFECT_LISTEN)
        bus_listen(socket, effect->bytes, effect->size);
    else
        bus_unlisten(socket, effect->bytes, effect->size);
}

static void say(struct shell *shell, const struct effect *effect)
{
    if (effect->is_full)
        shell_say_full(shell, effect->bound, 1);
    else
        log_say(shell->settings.log, effect->level, effect->text->bytes);
}

static void perform_one(struct shell *shell, const struct effect *effect)
{
    switch (effect->kind) {
    case EFFECT_SEND: send_one(shell, effect); break;
    case EFFECT_PUBLISH: publish(shell, effect); break;
    case EFFECT_CONNECT: connect_to(shell, effect); break;
    case EFFECT_DISCONNECT: disconnect(shell, effect->route); break;
    case EFFECT_LISTEN:
    case EFFECT_UNLISTEN: listen_to(shell, effect); break;
    case EFFECT_ADMIT: shell_admit(shell, effect->body); break;
    case EFFECT_READ: shell_keep_query(shell, effect->query); break;
    case EFFECT_SAY: say(shell, effect); break;
    case EFFECT_TOOK: shell_slow_took(shell, effect->trace); break;
    case EFFECT_EXIT: shell->is_over = true; break;
    }
}

void shell_perform(struct shell *shell, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        perform_one(shell, &shell->out.effects[i]);
}
