/* play.c: `arbiter play`: a seat at a table, in a terminal, by numbers and lines.
 *
 * It needs no more of a terminal than lines, so it can be driven through a pipe as well. Then a
 * line is taken only when one is asked for. The end of the lines gets up from the terminal, not
 * from the table. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/envelope.pb-c.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/command/setups.h"
#include "services/console/faces/face.h"
#include "services/console/faces/vocabulary.h"
#include "services/console/play/play_parts.h"
#include "wire/names.h"

#define QUIET_S 3.0 /* After so long without the lobby, a word about it ...                  */
/* ... and a script or a bot ends: nobody would see that it waits. */
#define PATIENCE_S 30.0
#define OVER_PATIENCE_S 3.0 /* The lobby says how it ended; if not, the match has said enough. */

static const char *const languages[] = { "en", "de", NULL };

static const struct option options[] = {
    { .name = "bots",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 0,
      .most = SEATS_MAX - 1,
      .offset = offsetof(struct play_ask, bots),
      .help = "How many bots sit with you. The match begins at once." },
    { .name = "level",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = LEVELS_MAX,
      .offset = offsetof(struct play_ask, level),
      .help = "How well they play: 1 is the weakest, 4 the strongest; nim has two levels. With "
              "\"arbiter bot\": how well it plays itself." },
    { .name = "create",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct play_ask, create),
      .help = "Opens a table for friends, and prints what they type." },
    { .name = "join",
      .value = "CODE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct play_ask, join),
      .help = "Sits down at a friend's table." },
    { .name = "rejoin",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct play_ask, rejoin),
      .help = "Goes back to the match whose terminal you left." },
    { .name = "show",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct play_ask, show),
      .help = "For bots: shows what happens, and the board after each change." },
    TABLE_OPTIONS(struct play_ask, table),
    GRID_OPTIONS(struct play_ask, grid),
    { .name = "turn",
      .value = "SECONDS",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = 86400,
      .offset = offsetof(struct play_ask, turn_s),
      .help = "Time for each answer. Without it only the set-up can bring a clock." },
    { .name = "private",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct play_ask, is_private),
      .help = "Keeps the table out of lists. Only those with its code may watch." },
    PLAY_WHERE_OPTIONS(struct play_ask, where),
    { .name = "language",
      .value = "en|de",
      .kind = OPTION_WORD,
      .words = languages,
      .offset = offsetof(struct play_ask, language),
      .help = "English or German. Default: the language of LANG." },
    { .name = "ascii",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct play_ask, is_ascii),
      .help = "Draws with ASCII only. Default: what LANG allows." },
    { .name = NULL },
};

void play_end(struct play_session *play, int code)
{
    if (!play->is_done)
        play->code_of_exit = code;
    play->is_done = true;
}

void play_tell(const struct play_session *play, const char *english, const char *german)
{
    play_say(&play->match, english, german);
    fputc('\n', play->match.out);
    (void) fflush(play->match.out);
}

void play_prompt(struct play_session *play)
{
    fputc('\n', play->match.out);
    if (play->is_terminal)
        input_prompt(&play->input);
    else
        (void) fflush(play->match.out);
}

/* What a promise of the house that was broken means for who plays, in English and German. */
static const char *const fault_words[][2] = {
    [CLIENT_NO_FAULT] = { "", "" },
    [CLIENT_FAULT_FORK] = { "The house tells this match in two ways: what it keeps was set back. "
                            "Tell its operator.",
                            "Das Haus erzählt diese Partie auf zwei Arten: Was es aufbewahrt, "
                            "wurde zurückgesetzt. Sag es dem Betreiber." },
    [CLIENT_FAULT_ROLLBACK] = { "The house has lost acts that you have seen: what it keeps was set "
                                "back. Tell its operator.",
                                "Dem Haus fehlen Züge, die du gesehen hast: Was es aufbewahrt, "
                                "wurde zurückgesetzt. Sag es dem Betreiber." },
    [CLIENT_FAULT_BOX] = { "What is sealed for you does not open with your key. Tell the operator.",
                           "Was für dich versiegelt ist, öffnet dein Schlüssel nicht. Sag es dem "
                           "Betreiber." },
    [CLIENT_FAULT_DICE] = { "Other bytes than yours went into the dice. Keep the match's file, and "
                            "tell somebody.",
                            "In den Würfeln stecken andere Bytes als deine. Heb die Datei der "
                            "Partie auf, und sag es jemandem." },
    [CLIENT_FAULT_SECRETS] = { "The secrets shown at the end are not those the match began with. "
                               "Keep its file, and tell somebody.",
                               "Die Geheimnisse am Ende sind nicht die vom Anfang der Partie. Heb "
                               "ihre Datei auf, und sag es jemandem." },
};

static void hear(struct play_session *play, const struct client_event *event)
{
    switch (event->kind) {
    case CLIENT_CONNECTED: play_lobby_connected(play, event); break;
    case CLIENT_ANSWER: play_lobby_answer(play, event); break;
    case CLIENT_TABLE:
    case CLIENT_TABLE_NOW: play_lobby_table(play, event); break;
    case CLIENT_ATTACHED: play_turn_attached(play, event); break;
    case CLIENT_ACT: play_turn_act(play, event); break;
    case CLIENT_VIEW: play_turn_view(play, event); break;
    case CLIENT_LEGAL: play_turn_legal(play, event); break;
    case CLIENT_REPLY: play_turn_reply(play, event); break;
    case CLIENT_OVER: play_turn_over(play, event); break;
    case CLIENT_LOST: play_turn_lost(play, event); break;
    case CLIENT_REFUSED:
        console_complain(event->refusal == REFUSAL(TOO_MUCH)
                             ? "the match is too large to be shown."
                             : "the lobby does not serve this key; has its operator admitted it?");
        play_end(play, CONSOLE_DISAGREES);
        break;
    case CLIENT_FAULT:
        play_tell(play, fault_words[event->fault][0], fault_words[event->fault][1]);
        break;
    default: break;
    }
}

/* Whether a line is to be taken now: a person's at once, a pipe's when it is asked for. */
static bool wants_line(const struct play_session *play)
{
    bool is_waiting = play->has_table && !play->has_match && play->ask.create;
    if (play->is_bot)
        return false;
    return play->is_terminal || play->is_prompting || is_waiting;
}

static void listen_to_lines(struct play_session *play)
{
    char line[INPUT_MAX];
    while (!play->is_done && wants_line(play) && input_line(&play->input, line))
        play_line(play, line);
    if (play->input.is_ended && play->input.size == 0 && (play->is_terminal || play->is_prompting))
        play_end(play, CONSOLE_OK);
}

static void listen_to_client(struct play_session *play)
{
    struct client_event event;
    while (!play->is_done && !interrupted() && client_next(play->client, 0, &event))
        hear(play, &event);
    play_turn_rest(play);
}

/* What time alone brings about. */
static void mind_time(struct play_session *play, double begun_s, bool *is_said)
{
    double now_s = seconds_now();
    if (!*is_said && !play->is_bound && now_s - begun_s > QUIET_S) {
        console_complain(
            "the lobby does not answer yet; still asking. Does \"arbiter up\" run? If so, "
            "this key is not let in, or banned: arbiter admit, arbiter player unban.");
        *is_said = true;
    }
    if (!play->is_bound && !play->is_terminal && now_s - begun_s > PATIENCE_S) {
        console_complain("the lobby has not answered; nobody is there to wait for it.");
        play_end(play, CONSOLE_BAD_INPUT);
    }
    play_lobby_time(play, now_s);
    if (play->over_s > 0 && now_s - play->over_s > OVER_PATIENCE_S)
        play_end(play, CONSOLE_OK);
}

static int follow(struct play_session *play)
{
    double begun_s = seconds_now();
    bool   is_said = false;
    while (!play->is_done && !interrupted()) {
        listen_to_client(play);
        listen_to_lines(play);
        mind_time(play, begun_s, &is_said);
        bool watches = wants_line(play) && !play->input.is_ended;
        if (!play->is_done)
            client_wait(play->client, &play->input.file, watches ? 1 : 0, 200);
    }
    fputc('\n', play->match.out);
    play_line_farewell(play);
    return play->is_done ? play->code_of_exit : CONSOLE_INTERRUPTED;
}

/* The face of the game by this name. */
static const struct face *face_called(const char *game)
{
    const struct game_wire *wire = registry_find(game, 0);
    return wire == NULL ? NULL : face_find(wire->game);
}

/* The name of the set-up a game offers first. */
static const char *usual_setup(const char *game)
{
    static char        name[PLAY_SETUP_MAX];
    struct setup_place place;
    const struct face *face = face_called(game);
    if (face != NULL && face->usual_setup != NULL)
        return face->usual_setup;
    if (face == NULL && vocabulary_play_now(game) != NULL)
        return vocabulary_play_now(game);
    if (!setups_find(game, NULL, &place))
        return NULL;
    const char *slash = strrchr(place.path, '/');
    (void) snprintf(name, sizeof name, "%.*s", (int) strcspn(slash + 1, "."), slash + 1);
    return name;
}

/* Whether time for each answer can be given at this table: a set-up may have said it all itself. */
static bool has_use_for_turn(const struct play_session *play, const struct table *table)
{
    const struct game *game = table->wire->game;
    struct bounds      bounds = { 0 };
    if (play->ask.turn_s == 0)
        return true;
    game->bounds(table->setup, table->seats, &bounds);
    if (bounds.answer_ms == 0)
        return true;
    complain("--turn means nothing here: the set-up of %s says itself how long an answer may take. "
             "Change it there, and name it with --config FILE.",
             play->game);
    return false;
}

/* What a table is opened with; the lobby judges it again. */
static int choose_table(struct play_session *play, struct table *table)
{
    struct play_ask *ask = &play->ask;
    bool             is_said = ask->bots != PLAY_BOTS_NOT_SAID;
    if (ask->rejoin || ask->join != NULL)
        return CONSOLE_OK;
    int said = grid_setup(&ask->grid, play->game != NULL ? play->game : "", &ask->table);
    if (said != CONSOLE_OK)
        return said;
    if (ask->table.config == NULL)
        ask->table.config = usual_setup(play->game);
    if (ask->table.config == NULL)
        return table_open(table, play->game, &ask->table);
    const struct face *face = face_called(play->game);
    const char        *option =
        face != NULL && face->option_of != NULL ? face->option_of(ask->table.config) : NULL;
    if (option != NULL && ask->table.set.count == 0 && ask->table.options == NULL)
        ask->table.set.word[ask->table.set.count++] = option;
    if (ask->table.seats == 0 && is_said && !ask->create)
        ask->table.seats = ask->bots + 1;
    if (ask->table.seats == 0 && !is_said && !ask->create && face != NULL)
        ask->table.seats = face->usual_seats;
    int code = table_open(table, play->game, &ask->table);
    if (code != CONSOLE_OK)
        return code;
    if (!has_use_for_turn(play, table))
        return CONSOLE_USAGE;
    play->setup = table;
    ask->table.seats = table->seats;
    if (!is_said)
        ask->bots = table->seats - 1;
    return CONSOLE_OK;
}

bool play_has_level(const struct game *game, uint64_t level)
{
    uint32_t levels = game->foresight != NULL ? game->foresight->levels : 0;
    if (level <= levels)
        return true;
    complain("%s has %" PRIu32 " levels. Leave --level out, or choose one of them.", game->name,
             levels);
    return false;
}

static bool makes_sense(const struct play_ask *ask, const struct words *words)
{
    if (ask->create + ask->rejoin + (ask->join != NULL) > 1) {
        console_complain("--create, --join and --rejoin are three ways to a table. Choose one.");
        return false;
    }
    if (ask->turn_s > 0 && (ask->rejoin || ask->join != NULL)) {
        console_complain(
            "--turn works only when you open a table. A table that you join has its own clock.");
        return false;
    }
    if (words->count == 0 && !ask->rejoin && ask->join == NULL) {
        console_complain(
            "which game? \"arbiter play dead\" plays the dead; \"arbiter games\" lists "
            "them all.");
        return false;
    }
    const struct game_wire *wire = words->count > 0 ? table_game(words->word[0]) : NULL;
    return words->count == 0 || (wire != NULL && play_has_level(wire->game, ask->level));
}

/* A bot whose match nobody wants to see says how it ended. */
static void choose_output(struct play_session *play)
{
    if (!play->is_bot || play->ask.show)
        return;
    play->match.out = open_memstream(&play->quiet, &play->quiet_size);
    if (play->match.out == NULL)
        abort();
}

/* What has been written since the last act began, which ended the match. */
static void tell_end(struct play_session *play)
{
    if (play->match.out == stdout)
        return;
    (void) fclose(play->match.out);
    play->match.out = stdout;
    if (play->last_at < play->quiet_size)
        fputs(play->quiet + play->last_at, stdout);
    free(play->quiet);
}

static int play_at(struct play_session *play)
{
    int code = CONSOLE_OK;
    play->client = play_where_open(&play->ask.where, 0, &code);
    if (play->client == NULL)
        return code;
    play_match_init(&play->match, play->client, play->ask.language, play->ask.is_ascii);
    choose_output(play);
    input_init(&play->input, STDIN_FILENO);
    play->is_terminal = isatty(STDIN_FILENO) == 1 && !play->is_bot;
    if (play->is_terminal)
        input_edit(&play->input);
    play->vacant = NOT_SEATED;
    code = follow(play);
    input_close(&play->input);
    tell_end(play);
    menu_clear(&play->menu);
    free(play->best_text);
    play_match_close(&play->match);
    client_close(&play->client);
    return code;
}

static int begin(const struct console_command *self, int argc, char **argv, bool is_bot)
{
    static struct play_session play;
    struct table               table;
    struct words               words;
    memset(&table, 0, sizeof table);
    play.is_bot = is_bot;
    play.ask.bots = PLAY_BOTS_NOT_SAID;
    if (!console_read(self, argc, argv, &play.ask, &words) || !makes_sense(&play.ask, &words) ||
        (!is_bot && !table_leaves_stdin(&play.ask.table)))
        return CONSOLE_USAGE;
    play.game = words.count > 0 ? words.word[0] : NULL;
    int code = choose_table(&play, &table);
    if (code == CONSOLE_OK)
        code = play_at(&play);
    play.setup = NULL;
    table_close(&table);
    grid_setup_forget(&play.ask.table);
    return code;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    return begin(self, argc, argv, false);
}

static int run_bot(const struct console_command *self, int argc, char **argv)
{
    return begin(self, argc, argv, true);
}

const struct console_command command_bot = {
    .name = "bot",
    .arguments = "[GAME]",
    .summary = "Lets a bot of this build play at a table.",
    .about = "  arbiter bot treasure --show          the map after each change, finds, the result\n"
             "  arbiter bot --join CODE              at a friend's table\n"
             "  arbiter bot quests --level 4         thinks ahead, up to a second for each move\n\n"
             "A bot of this build plays one match to its end. Without --level it asks the game's\n"
             "own judgement; a game without one is played at random. A bot knows no more than a\n"
             "player may know.\n",
    .options = options,
    .words_least = 0,
    .words_most = 1,
    .run = run_bot,
};

const struct console_command command_play = {
    .name = "play",
    .arguments = "[GAME]",
    .summary = "Plays in the terminal: against bots, or with friends.",
    .about =
        "  arbiter play dead                    you and two bots, a short evening\n"
        "  arbiter play dead --bots 3 --config standard\n"
        "  arbiter play dead --create           opens a table for friends ...\n"
        "  arbiter play --join CODE             ... who sit down with what it says\n"
        "  arbiter play --rejoin                goes on where you left\n\n"
        "You see what happens, the board, and a numbered menu of what you may do. Type a number.\n"
        "Other commands begin with a slash; /help lists them. Without options, bots take all\n"
        "other seats.\n\n"
        "/quit, Ctrl-C and the end of the input leave the terminal. The seat stays yours.\n\n"
        "\"arbiter up\" must run on this machine. For another machine use --lobby.\n",
    .options = options,
    .words_least = 0,
    .words_most = 1,
    .run = run,
};
