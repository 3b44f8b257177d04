/* analyse.c: `arbiter analyse`: what each decision of a finished match was worth, and what was luck. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/command/terminal.h"
#include "services/console/records/analysis.h"
#include "services/console/records/export.h"

struct analyse_ask {
    struct export_place place;
    uint64_t            nodes, seat;
    const char         *seed;
    bool                json;
};

#define ALL_SEATS UINT64_MAX
#define AT(member) .offset = offsetof(struct analyse_ask, member)

static const struct option options[] = {
    { .name = "nodes",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 16,
      .most = 500000,
      AT(nodes),
      .help = "Futures that are looked at for each decision. Default: as many as the game's "
              "strongest level." },
    { .name = "seed",
      .value = "N",
      .kind = OPTION_TEXT,
      AT(seed),
      .help = "Of the guesses and dice in these futures. Default: 1." },
    { .name = "seat",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 0,
      .most = SEATS_MAX - 1,
      AT(seat),
      .help = "Judges this seat alone. Default: all seats." },
    { .name = "json", .kind = OPTION_FLAG, AT(json), .help = "Prints JSON, one object per line." },
    EXPORT_OPTIONS(struct analyse_ask, place),
    { .name = NULL },
};

/* One run. */
struct analyse {
    const struct analyse_ask *ask;
    struct analysis           found;
    struct show               show;
    struct progress           progress;
};

static const char *name_of(const void *names, uint32_t seat)
{
    return replay_name(names, seat);
}

static bool is_wanted(const struct analyse *run, uint32_t seat)
{
    return run->ask->seat == ALL_SEATS || run->ask->seat == seat;
}

static void judge_decision(struct analyse *run, const struct analyst_deed *deed)
{
    struct analysis  *found = &run->found;
    struct weighing   weighing;
    enum analyst_said said = analyst_decision(&found->analyst, deed, &weighing);
    analysis_decided(found, deed->seat, said, &weighing);
    progress_clear(&run->progress);
    if (run->ask->json)
        analysis_json_decision(found, deed, said, &weighing);
    else if (said == ANALYST_JUDGED)
        analysis_say_decision(found, &run->show, &deed->command, &weighing);
}

static void judge_chance(struct analyse *run, const struct analyst_deed *deed, uint32_t seat)
{
    struct analysis      *found = &run->found;
    struct analyst_chance chance;
    if (!analyst_chance(&found->analyst, found->replay->match, deed, seat, &chance))
        return;
    analysis_chanced(found, seat, &chance);
    progress_clear(&run->progress);
    if (run->ask->json)
        analysis_json_chance(found, seat, &chance);
    else
        analysis_say_chance(found, &run->show, seat, &chance);
}

/* The act that was just played. Seats have heard it. */
static void judge_act(struct analyse *run)
{
    const struct replay *replay = run->found.replay;
    struct analyst_deed  deed = { replay->act.actor, replay->command };
    if (replay->act.actor >= replay->seats)
        return; /* Time, and the house. */
    if (is_wanted(run, deed.seat))
        judge_decision(run, &deed);
    for (uint32_t seat = 0; seat < replay->seats && !interrupted(); seat++)
        if (is_wanted(run, seat))
            judge_chance(run, &deed, seat);
}

static int walk(struct analyse *run)
{
    struct analysis *found = &run->found;
    struct replay   *replay = found->replay;
    for (;;) {
        bool is_played = replay->begun;
        if (interrupted())
            return CONSOLE_INTERRUPTED;
        if (is_played)
            analyst_look(&found->analyst, replay->match);
        enum replay_step step = replay_next(replay);
        if (step == REPLAY_DONE)
            break;
        if (step == REPLAY_BAD) {
            progress_clear(&run->progress);
            complain("%s.", replay->file.fault.bytes);
            return CONSOLE_DISAGREES;
        }
        if (replay->begun && replay->act.actor != ACTOR_SAY)
            analyst_hear(&found->analyst, &replay->act);
        if (is_played)
            judge_act(run);
        progress_show(&run->progress, replay->number);
    }
    if (replay->begun)
        analysis_ended(found);
    return CONSOLE_OK;
}

static void begin(struct analyse *run, struct replay *replay, uint32_t nodes, uint64_t seed)
{
    struct analysis *found = &run->found;
    found->replay = replay;
    found->nodes = nodes;
    found->seed = seed;
    for (uint32_t seat = 0; seat < SEATS_MAX; seat++)
        for (uint32_t i = 0; i < ANALYSIS_COLUMNS; i++)
            found->seat[seat].picture[i] = ANALYSIS_UNKNOWN;
    run->show = (struct show){ .lines = { stdout, replay->wire, replay->setup },
                               .coloured = terminal_has_colour(stdout),
                               .commands = replay->commands,
                               .name = name_of,
                               .names = replay };
    progress_start(&run->progress, "acts", replay->end.acts);
    if (run->ask->json)
        analysis_json_begin(found);
}

static int analyse_replay(const struct analyse_ask *ask, struct replay *replay, uint64_t seed)
{
    struct analyse *run = calloc(1, sizeof *run);
    uint32_t nodes = ask->nodes > 0 ? (uint32_t) ask->nodes : analyst_futures(replay->wire->game);
    void    *memory = calloc(1, analyst_bytes(&replay->terms, nodes));
    int      code = CONSOLE_BAD_INPUT;
    if (run == NULL || memory == NULL) {
        complain("there is not enough memory for %" PRIu32 " nodes.", nodes);
    } else {
        run->ask = ask;
        begin(run, replay, nodes, seed);
        analyst_init(&run->found.analyst, &replay->terms, nodes, seed, memory);
        code = walk(run);
        progress_clear(&run->progress);
        if (ask->json)
            analysis_json_all(&run->found);
        else
            analysis_say_all(&run->found, &run->show);
    }
    if (code == CONSOLE_INTERRUPTED)
        complain("it was interrupted: %" PRIu64 " of %" PRIu64 " acts were judged.", replay->number,
                 replay->end.acts);
    free(memory);
    free(run);
    return code;
}

static int analyse_bytes(const uint8_t *bytes, size_t size, const char *path,
                         const struct analyse_ask *ask, uint64_t seed)
{
    struct replay replay;
    int           code = CONSOLE_BAD_INPUT;
    if (!replay_open(&replay, bytes, size, stderr)) {
        complain("%s: %s.", path, replay.file.fault.bytes);
        code = match_file_is_one(bytes, size) ? CONSOLE_DISAGREES : CONSOLE_BAD_INPUT;
    } else if (replay.wire == NULL) {
        complain("%s is a match of %s, rules %" PRIu32 ", which this build does not have; "
                 "\"arbiter games\" lists those it has.",
                 path, replay.game, replay.rules_version);
    } else if (replay.wire->game->foresight == NULL) {
        complain("in %s nobody can think ahead yet, so no decision can be judged.", replay.game);
    } else if (ask->seat != ALL_SEATS && ask->seat >= replay.seats) {
        complain("--seat %" PRIu64 ": the match has seats 0 to %" PRIu32 ".", ask->seat,
                 replay.seats - 1);
        code = CONSOLE_USAGE;
    } else {
        code = analyse_replay(ask, &replay, seed);
    }
    replay_close(&replay);
    return code;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct analyse_ask ask = { .seat = ALL_SEATS };
    struct words       words;
    int64_t            seed = 1;
    size_t             size = 0;
    if (!console_read(self, argc, argv, &ask, &words) ||
        (ask.seed != NULL && !console_seed(ask.seed, &seed)))
        return CONSOLE_USAGE;
    uint8_t *bytes = export_bytes(&ask.place, words.word[0], &size);
    if (bytes == NULL)
        return CONSOLE_BAD_INPUT;
    int code = analyse_bytes(bytes, size, words.word[0], &ask, (uint64_t) seed);
    free(bytes);
    return code;
}

const struct console_command command_analyse = {
    .name = "analyse",
    .arguments = "FILE | ID",
    .summary = "Says what each decision of a match was worth, and what was luck.",
    .about =
        "  arbiter analyse four.match\n"
        "  arbiter analyse quests.match --seat 0 --nodes 500\n"
        "\n"
        "Plays a finished match again. Each decision is judged by what its seat could know at\n"
        "that moment: the search tries all commands from guesses of what is hidden. It is\n"
        "never shown the true state.\n"
        "\n"
        "Worth is the expected result: 0 is lost, 0.5 drawn, 1 won. A command is called\n"
        "  inaccuracy    if it gave away 0.05 or more\n"
        "  mistake       0.1 or more\n"
        "  blunder       0.2 or more\n"
        "each after one standard error is taken off.\n"
        "\n"
        "Luck is what nobody chose: what the match was worth to a seat behind an act, less\n"
        "what it was worth once the command was known. The picture has a line for each seat,\n"
        "from the first act to the last; a high block is a won match.\n"
        "\n"
        "What no list offers, such as half a map, is counted and not judged. The same file,\n"
        "nodes and seed give the same words. After Ctrl-C you get what was found.\n" CONSOLE_STDIN
        "\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
