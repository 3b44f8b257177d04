/* serve_misfit.c: what is no message at the plain door: its sender is told why, and the terminal, too. */
#include "services/console/classroom/serve_door.h"
#include "services/console/command/console.h"

static const struct {
    const char *to_sender, *to_terminal;
} said[] = {
    [BUS_MORE_FRAMES] = { "This message has several frames. Send one frame for each message.",
                          "messages of several frames" },
    [BUS_ENVELOPED] = { "An empty frame stands in front, as a REQ puts it there. Use a DEALER, and "
                        "send one frame for each message.",
                        "an empty frame in front of each message, as a REQ does" },
    [BUS_TOO_LARGE] = { "This frame has more than 64 KiB. The next one like it ends the "
                        "connection.",
                        "a frame of more than 64 KiB" },
};

/* Strangers may not fill the terminal: so many lines are about them. */
#define LINES_MAX 12u

static void say(struct serve_door *door, const char *line)
{
    if (door->misfit_lines++ < LINES_MAX)
        complain("%s%s", line,
                 door->misfit_lines == LINES_MAX ? " More of this kind is not said." : "");
}

/* Whether this connection was told so before; from now on it was. */
static bool was_told(struct serve_door *door, uint64_t route, enum bus_misfit misfit)
{
    uint64_t told = route << 2 | (uint64_t) misfit; /* A route has 32 bits. */
    for (uint32_t i = 0; i < SERVE_MISFITS_MAX && i < door->misfits; i++)
        if (door->misfit_told[i] == told)
            return true;
    door->misfit_told[door->misfits++ % SERVE_MISFITS_MAX] = told;
    return false;
}

void serve_misfit(struct serve_door *door, const struct bus_message *message)
{
    bool is_again = was_told(door, message->route, message->misfit);
    if (is_again && message->misfit == BUS_TOO_LARGE) {
        door->drowned += bus_hang_up(door->socket);
        say(door, "a client sends frames of more than 64 KiB: it was told so, and is cut off now.");
        return;
    }
    if (!is_again) {
        char line[200];
        (void) snprintf(line, sizeof line,
                        "a client sends %s: it is told so, and is cut off if it goes on.",
                        said[message->misfit].to_terminal);
        say(door, line);
    }
    door->is_enveloped = message->misfit == BUS_ENVELOPED;
    serve_refuse(door, message->route, said[message->misfit].to_sender);
    door->is_enveloped = false;
}

void serve_count_drowned(struct serve_door *door)
{
    struct porter_counters counters;
    porter_counts(&counters);
    if (counters.drowned + counters.hung_up > door->drowned)
        say(door, "a client was cut off: more than a megabyte came from it and no message, or 64 "
                  "messages of several frames.");
    door->drowned = counters.drowned + counters.hung_up;
}
