/* scripts.c: games played here once, so that the measured ones cost their players nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus_bench.h"
#include "dice/kinds.h"
#include "match/policy.h"
#include "tables.h"
#include "wire/crypto.h"

#define GAME "dead"
#define TABLE "base:standard-base"

/* What plays. */
struct stage {
    struct match_terms terms;
    struct match_form  form;
    struct match_room  room;
    struct policy      policy;
    void              *match, *memory, *picking;
};

static bool stage_open(struct stage *stage, const struct table *table)
{
    stage->form = (struct match_form){ plan_new(table->wire->command), plan_new(table->wire->event),
                                       &crypto_sodium };
    match_terms_init(&stage->terms, table->wire->game, table->setup, SEATS, MATCH_WORDS,
                     &stage->form);
    stage->match = calloc(1, match_bytes(&stage->terms));
    stage->memory = calloc(1, match_room_bytes(&stage->terms));
    stage->picking = calloc(1, policy_bytes(&stage->terms));
    if (stage->match == NULL || stage->memory == NULL || stage->picking == NULL)
        return false;
    match_room_init(&stage->room, &stage->terms, stage->memory);
    return true;
}

static void stage_close(struct stage *stage)
{
    struct plan *commands = (struct plan *) (uintptr_t) stage->form.commands;
    struct plan *events = (struct plan *) (uintptr_t) stage->form.events;
    plan_destroy(&commands);
    plan_destroy(&events);
    free(stage->match);
    free(stage->memory);
    free(stage->picking);
}

/* Whether the game of this seed lasts so many moves. */
static bool play(struct stage *stage, struct script *script, int64_t seed, uint32_t moves)
{
    struct match_begin begin = { .epoch = 1 };
    struct match_act   act;
    struct dice        dice;
    struct command     command;
    dice_java(&dice, (uint64_t) seed);
    begin.dice = &dice;
    policy_init(&stage->policy, POLICY_RANDOM, 1000000, (uint64_t) seed, &stage->terms,
                stage->picking);
    struct match *match = match_start(stage->match, &stage->terms, &begin, &stage->room, &act);
    script->seed = seed;
    for (script->count = 0; script->count < moves && match_to_act(match) != 0; script->count++) {
        uint32_t seat = policy_seat(&stage->policy, match_to_act(match));
        if (!policy_pick(&stage->policy, match, seat, &command))
            return false;
        size_t size = plan_encode_command(stage->form.commands, &command,
                                          script->move[script->count].bytes, MOVE_BYTES);
        if (size == 0 || size > MOVE_BYTES ||
            match_play(match, seat, &command, &stage->room, &act) != ACCEPTED)
            return false;
        script->move[script->count].seat = seat;
        script->move[script->count].size = size;
    }
    return script->count == moves && match_to_act(match) != 0;
}

static bool fill(struct scripts *scripts, const struct table *table, uint32_t moves)
{
    struct stage stage = { .match = NULL };
    uint32_t     found = 0;
    bool         is_open = stage_open(&stage, table);
    scripts->state_bytes = stage.terms.bounds.state_bytes;
    for (int64_t seed = 1; is_open && found < scripts->count && seed < 100000; seed++)
        found += play(&stage, &scripts->script[found], seed, moves);
    stage_close(&stage);
    return found == scripts->count;
}

bool scripts_make(struct scripts *scripts, uint32_t count, uint32_t moves)
{
    const struct game_wire *wire = registry_find(GAME, 0);
    struct tables           tables = { 0 };
    bool                    is_made = false;
    scripts->count = count;
    scripts->script = calloc(count, sizeof *scripts->script);
    if (wire == NULL || moves > MOVES_MAX || scripts->script == NULL || !tables_load(wire, &tables))
        return false;
    for (uint32_t i = 0; i < tables.count && !is_made; i++) {
        const struct table *table = &tables.table[i];
        if (strcmp(table->name, TABLE) != 0)
            continue;
        scripts->setup = strdup(table->config);
        scripts->options = table->options != NULL ? strdup(table->options) : NULL;
        is_made = scripts->setup != NULL && fill(scripts, table, moves);
    }
    tables_free(&tables);
    if (!is_made)
        fputs("bus_bench: no games of " GAME " " TABLE " last so long\n", stderr);
    return is_made;
}

void scripts_free(struct scripts *scripts)
{
    free(scripts->setup);
    free(scripts->options);
    free(scripts->script);
}
