/* drain.c: `arbiter drain`: an engine's slots go to the others, so that it can be stopped with nobody waiting. */
#include <stdio.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "services/console/care/operator.h"
#include "services/console/care/top_house.h"
#include "services/console/command/console.h"
#include "wire/names.h"

/* 16 slots go in a look, of which there are two a second; a slot that cannot go is a reason to say so. */
#define PATIENCE_LOOKS 120u
#define LOOK_S 0.5
#define HELLO_LOOKS 20u

struct drain_ask {
    struct play_where where;
    bool              undo;
};

static const struct top_service *find(const struct top_house *house, const char *name)
{
    for (uint32_t i = 0; i < house->count; i++)
        if (house->services[i].role == ROLE(ENGINE) && house->services[i].is_listed &&
            strcmp(house->services[i].name, name) == 0)
            return &house->services[i];
    return NULL;
}

/* Who could take its slots, once the lobby has told us who there is; UINT32_MAX: it told nothing. */
static uint32_t count_others(struct top_house *house, const char *name)
{
    uint32_t others = 0;
    for (uint32_t look = 0; look < HELLO_LOOKS && !house->is_connected; look++) {
        top_ask(house);
        top_hear(house, LOOK_S);
    }
    for (uint32_t i = 0; i < house->count; i++) {
        const struct top_service *service = &house->services[i];
        others += service->role == ROLE(ENGINE) && service->is_listed && !service->is_draining &&
                  !service->is_suspect && !service->is_stopped && strcmp(service->name, name) != 0;
    }
    return house->is_connected ? others : UINT32_MAX;
}

/* Until it has no slots, says how many it has left each time that has changed. */
static int watch_slots(struct top_house *house, const char *name)
{
    uint32_t last = UINT32_MAX;
    for (uint32_t look = 0; look < PATIENCE_LOOKS; look++) {
        top_ask(house);
        top_hear(house, LOOK_S);
        const struct top_service *engine = find(house, name);
        if (!house->is_connected || (engine == NULL && last == UINT32_MAX))
            continue;
        if (engine == NULL || engine->slots == 0) {
            printf("%s holds no slots: it can be stopped\n", name);
            return CONSOLE_OK;
        }
        if (engine->slots != last) {
            fprintf(stderr, "%s holds %u slots\n", name, engine->slots);
            look = 0;
        }
        last = engine->slots;
    }
    complain("%s keeps its slots: is there another engine, and a watchdog (arbiter top)? With an "
             "embedded store there can be only one engine.",
             name);
    return CONSOLE_DISAGREES;
}

static int say(const struct drain_ask *asked, const char *name)
{
    Arbiter__Lobby__DrainEngine drain = ARBITER__LOBBY__DRAIN_ENGINE__INIT;
    Arbiter__Lobby__Ask         ask = ARBITER__LOBBY__ASK__INIT;
    drain.name = (char *) name;
    drain.has_undo = true;
    drain.undo = asked->undo;
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_DRAIN_ENGINE;
    ask.drain_engine = &drain;
    return operator_say(&asked->where, &ask);
}

/* Nothing is said of an engine that is the last one: its slots would go to nobody. */
static int hand_over(struct top_house *house, const struct drain_ask *asked, const char *name)
{
    if (count_others(house, name) == 0 && find(house, name) != NULL) {
        complain("%s is the only engine that can hold slots: start another one first. With an "
                 "embedded store there can be only one, and stopping it loses nothing.",
                 name);
        return CONSOLE_DISAGREES;
    }
    int code = say(asked, name);
    return code == CONSOLE_OK ? watch_slots(house, name) : code;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct top_house house;
    struct drain_ask        asked = { .undo = false };
    struct words            words;
    struct text             fault;
    if (!console_read(self, argc, argv, &asked, &words))
        return CONSOLE_USAGE;
    if (asked.undo)
        return say(&asked, words.word[0]);
    if (!top_open(&house, asked.where.home, &fault)) {
        complain("%s", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    int code = hand_over(&house, &asked, words.word[0]);
    top_close(&house);
    return code;
}

static const struct option options[] = {
    OPERATOR_HOME_ROW(struct drain_ask),
    { .name = "undo",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct drain_ask, undo),
      .help = "Gives it slots again." },
    { .name = NULL },
};

const struct console_command command_drain = {
    .name = "drain",
    .arguments = "ENGINE",
    .summary = "Empties an engine so that it can be stopped.",
    .about = "  arbiter drain engine-2\n"
             "  arbiter drain engine-2 --undo\n"
             "\n"
             "Empties an engine so that you can stop it. ENGINE is its name in \"arbiter top\".\n"
             "The watchdog gives its slots to other engines, a few at a time. Players follow,\n"
             "and nothing is lost. The command waits until the engine has no slots left.\n"
             "\n"
             "The engine takes part again after a restart, or with --undo. If the lobby\n"
             "restarts meanwhile, run the command again.\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
