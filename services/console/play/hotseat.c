/* hotseat.c: `arbiter hotseat`: four people play quests at one terminal, taking turns before it. */
#include "services/console/play/hotseat.h"

#include <ctype.h>
#include <inttypes.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#include "games/quests/quests_rules.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/trial/playing.h"

struct hotseat_ask {
    const char *seed, *config;
    bool        is_guided;
};

static const struct option options[] = {
    { .name = "seed",
      .value = "N",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct hotseat_ask, seed),
      .help = "The seed of the shuffle. Default: the set-up's seed, or chance." },
    { .name = "config",
      .value = "FILE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct hotseat_ask, config),
      .help = "The set-up: a file, or the name of one that comes with the game." },
    { .name = "guide",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct hotseat_ask, is_guided),
      .help = "Prompts also name 'clear', 'restart' and '?', which explains what can be typed." },
    { .name = NULL },
};

#define LINE_KEPT 64 /* Far longer than any answer, shorter than what only looks like one. */

/* A match at one terminal. */
struct evening {
    struct table   table;
    struct playing playing;
    struct hotseat seat;
    char           line[LINE_KEPT]; /* The one typed last, without blanks around it.            */
    size_t         size;
};

/* Keeps a letter of the line, as long as there may be an answer in it: what is longer than any is none. */
static void keep_letter(struct evening *evening, int letter, size_t *blanks)
{
    if (isspace(letter) != 0) {
        *blanks += evening->size > 0;
        return;
    }
    for (; *blanks > 0 && evening->size < LINE_KEPT; --*blanks)
        evening->line[evening->size++] = ' ';
    *blanks = 0;
    if (evening->size < LINE_KEPT)
        evening->line[evening->size++] = (char) letter;
}

/* False: nothing more is typed. While lines come from a pipe no read is ever interrupted, so it looks. */
static bool next_line(struct evening *evening)
{
    size_t blanks = 0;
    bool   is_any = false;
    int    letter;
    evening->size = 0;
    while (!interrupted() && (letter = getc_unlocked(stdin)) != EOF) {
        is_any = true;
        if (letter == '\n')
            return true;
        keep_letter(evening, letter, &blanks);
    }
    return is_any && !interrupted();
}

static int no_more(struct evening *evening)
{
    if (interrupted())
        return CONSOLE_INTERRUPTED;
    hotseat_line(&evening->seat, COLOUR_RED, "End of input");
    return CONSOLE_DISAGREES;
}

static void hear_act(struct evening *evening)
{
    const struct sink *events = evening->playing.act.events;
    for (const word *event = sink_first(events); event != NULL; event = sink_next(events, event))
        hotseat_hear(&evening->seat, event);
}

/* The player who is asked sits down, if somebody else sits there. */
static bool change_seat(struct evening *evening)
{
    struct hotseat *seat = &evening->seat;
    uint32_t        player = (uint32_t) seat->asked[0];
    if (seat->sitter == player)
        return true;
    hotseat_leave(seat);
    if (!next_line(evening))
        return false;
    hotseat_flush(seat);
    hotseat_sit(seat, player);
    return true;
}

/* The sentence of a refusal, as a line: without its full stop. */
static void put_refusal(struct evening *evening, verdict judged)
{
    char        line[128];
    const char *sentence = evening->playing.terms.game->reasons[judged].sentence;
    (void) snprintf(line, sizeof line, "%.*s", (int) strcspn(sentence, "."), sentence);
    hotseat_line(&evening->seat, COLOUR_RED, line);
}

static void do_command(struct evening *evening, const struct command *command)
{
    struct playing *playing = &evening->playing;
    struct hotseat *seat = &evening->seat;
    verdict judged = match_play(playing->match, (uint32_t) seat->asked[0], command, &playing->room,
                                &playing->act);
    if (judged != ACCEPTED) {
        put_refusal(evening, judged);
        return;
    }
    if (command->kind == QUESTS_END_TURN)
        hotseat_flush(seat); /* The return that ended the turn has emptied the seat. */
    hear_act(evening);
}

/* The cards of the stage being built fit no longer, or those of the stages before leave no way on. */
static void tell_dead_end(const struct evening *evening)
{
    const struct quests_state *state = (const void *) evening->playing.match->state;
    uint16_t                   hand[QUESTS_CARDS];
    if (state->phase != QUESTS_ASKS_BUILD)
        return;
    memcpy(hand, state->hand[state->asked], sizeof hand);
    bool is_stuck = quests_stage_is_good(state) != ACCEPTED;
    for (uint32_t card = 1; card < QUESTS_CARDS; card++)
        is_stuck = is_stuck && (hand[card] == 0 || quests_stage_takes(state, card) != ACCEPTED);
    for (uint32_t i = 0; i < state->stage_count[state->built]; i++)
        hand[state->stage_card[state->built][i]]++;
    uint32_t left = (uint32_t) (state->stages - state->built);
    if (!quests_can_build(hand, left, quests_above(state), NULL))
        hotseat_line(&evening->seat, COLOUR_RED,
                     "No quest can be completed on these stages. 'restart' takes all cards back.");
    else if (is_stuck)
        hotseat_line(&evening->seat, COLOUR_RED,
                     "This stage cannot be completed. 'clear' takes its cards back.");
}

static int play(struct evening *evening)
{
    struct command command;
    hear_act(evening);
    while (!playing_over(&evening->playing)) {
        if (!change_seat(evening))
            return no_more(evening);
        if (evening->seat.is_guided)
            tell_dead_end(evening);
        hotseat_ask(&evening->seat);
        if (!next_line(evening))
            return no_more(evening);
        if (evening->seat.is_guided && evening->size == 1 && evening->line[0] == '?')
            hotseat_explain(&evening->seat);
        else if (hotseat_read(&evening->seat, evening->line, evening->size, &command))
            do_command(evening, &command);
        else
            hotseat_line(&evening->seat, COLOUR_RED,
                         evening->seat.is_guided ? "Invalid input; '?' explains" : "Invalid input");
    }
    return CONSOLE_OK;
}

static void put_winners(const struct evening *evening)
{
    int32_t outcome[SEATS_MAX] = { 0 };
    char    line[64] = "Winners:";
    match_outcome(evening->playing.match, outcome);
    for (uint32_t i = 0; i < QUESTS_SEATS; i++) {
        size_t size = strlen(line);
        if (outcome[i] > 0)
            (void) snprintf(line + size, sizeof line - size, " P%" PRIu32, i + 1);
    }
    hotseat_line(&evening->seat, COLOUR_GREEN, line);
    hotseat_line(&evening->seat, COLOUR_NONE, "The game is over.");
}

static int play_seed(struct evening *evening, uint64_t seed, bool is_guided)
{
    const struct playing_rules rules = { .dice = "java", .flags = MATCH_WORDS };
    bool                       is_terminal = isatty(STDOUT_FILENO) == 1;
    playing_open(&evening->playing, &evening->table, &rules);
    hotseat_open(&evening->seat, stdout, is_terminal, terminal_has_colour(stdout),
                 evening->table.setup);
    evening->seat.is_guided = is_guided;
    playing_begin(&evening->playing, seed);
    int code = play(evening);
    if (code == CONSOLE_OK)
        put_winners(evening);
    hotseat_close(&evening->seat);
    playing_close(&evening->playing);
    return code;
}

/* The seed that is said, else the set-up's, else the one of the rules' page. A game that is not
 * described at all gets one that nobody knows. */
static bool find_seed(const struct hotseat_ask *ask, const struct table *table, uint64_t *seed)
{
    int64_t typed;
    if (ask->seed != NULL) {
        if (!console_seed(ask->seed, &typed))
            return false;
        *seed = (uint64_t) typed;
        return true;
    }
    if (table->wire->game->seed(table->setup, seed))
        return true;
    *seed = 1;
    if (ask->config == NULL)
        randombytes_buf(seed, sizeof *seed);
    return true;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct evening evening;
    struct hotseat_ask    ask = { NULL, NULL, false };
    struct words          words;
    uint64_t              seed = 0;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    if (strcmp(words.word[0], "quests") != 0) {
        complain("only quests is played at one terminal, not \"%s\".", words.word[0]);
        return CONSOLE_USAGE;
    }
    /* Here nobody is to be protected from laid cards: the players have chosen the set-up. */
    struct table_ask table = { .config = ask.config, .options = "{\"rigged\": true}" };
    if (!table_leaves_stdin(&table))
        return CONSOLE_USAGE;
    int code = table_open(&evening.table, "quests", &table);
    if (code != CONSOLE_OK)
        return code;
    code = find_seed(&ask, &evening.table, &seed) ? play_seed(&evening, seed, ask.is_guided)
                                                  : CONSOLE_USAGE;
    table_close(&evening.table);
    return code;
}

const struct console_command command_hotseat = {
    .name = "hotseat",
    .arguments = "GAME",
    .summary = "Plays quests with four people at one terminal.",
    .about =
        "  arbiter hotseat quests\n"
        "  arbiter hotseat quests --seed 42 --config short\n"
        "\n"
        "Four people share one terminal. The person whose turn it is sits down before it.\n"
        "The screen is emptied before the next person does. No server is needed.\n"
        "\n"
        "A sponsor can lay cards so that no further stage fits. 'clear' takes the cards of the\n"
        "stage back, 'restart' those of all stages. With --guide the prompts say so.\n"
        "\n"
        "Exit code 0: the game was won. 1: the input ended first.\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
