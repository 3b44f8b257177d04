/* watch.c: `arbiter watch`: a match as its spectators may see it, while it is played.
 *
 * On a terminal the board stands at the top and is drawn anew when something has happened, with the
 * last lines of what happened below it. Elsewhere what happens is a line each, and the board comes
 * first and last. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/envelope.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/command/terminal.h"
#include "services/console/play/play_match.h"
#include "services/console/play/play_where.h"
#include "services/console/play/watch_json.h"
#include "wire/header.h"
#include "wire/names.h"

#define QUIET_S 3.0
#define LAST_VIEW_S 2.0
#define LOG_BYTES_MAX ((size_t) 64 << 10)
#define TABLES_SHOWN 50

struct watch_ask {
    struct play_where where;
    const char       *code, *language;
    bool              is_ascii, once, json;
};

struct watch {
    struct watch_ask ask;
    const char      *what; /* A match's id or a table's code; NULL: the list of matches.          */
    struct client   *client;
    struct play_match match;
    bool              is_terminal, is_asked, has_match, wants_look, is_drawn, is_done;
    double   ending_s; /* It is over; so long its last view is waited for. 0: it goes on. */
    uint32_t looking, request, binding;
    int      code;
    FILE    *log; /* What happened, on a terminal.                                                */
    char    *log_bytes;
    size_t   log_size;
};

static const char *const languages[] = { "en", "de", NULL };

static const struct option options[] = {
    { .name = "code",
      .value = "CODE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct watch_ask, code),
      .help = "The code of a private table, if MATCH is a number." },
    { .name = "once",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct watch_ask, once),
      .help = "Shows the match as it is now, and ends." },
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct watch_ask, json),
      .help = "Prints JSON: one match per line, or the view and then one act per line." },
    PLAY_WHERE_OPTIONS(struct watch_ask, where),
    { .name = "language",
      .value = "en|de",
      .kind = OPTION_WORD,
      .words = languages,
      .offset = offsetof(struct watch_ask, language),
      .help = "English or German. Default: the language of LANG." },
    { .name = "ascii",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct watch_ask, is_ascii),
      .help = "Draws with ASCII only. Default: what LANG allows." },
    { .name = NULL },
};

static void end(struct watch *watch, int code)
{
    if (!watch->is_done)
        watch->code = code;
    watch->is_done = true;
}

/* 32 digits as 16 bytes; false: it is no match's number. */
static bool read_id(const char *text, uint8_t id[CLIENT_ID_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    if (strlen(text) != 2 * CLIENT_ID_SIZE || strspn(text, digits) != 2 * CLIENT_ID_SIZE)
        return false;
    for (size_t i = 0; i < CLIENT_ID_SIZE; i++)
        id[i] = (uint8_t) ((strchr(digits, text[2 * i]) - digits) << 4 |
                           (strchr(digits, text[2 * i + 1]) - digits));
    return true;
}

static void ask(struct watch *watch)
{
    uint8_t                    id[CLIENT_ID_SIZE];
    Arbiter__Lobby__ListTables list = ARBITER__LOBBY__LIST_TABLES__INIT;
    Arbiter__Lobby__Ask        all = ARBITER__LOBBY__ASK__INIT;
    watch->is_asked = true;
    if (watch->what == NULL) {
        list.has_phase = list.has_limit = true;
        list.phase = ARBITER__LOBBY__TABLE__PHASE__PHASE_PLAYING;
        list.limit = TABLES_SHOWN;
        all.kind_case = ARBITER__LOBBY__ASK__KIND_LIST_TABLES;
        all.list_tables = &list;
        watch->request = client_ask(watch->client, &all.base);
    } else if (read_id(watch->what, id)) {
        (void) client_attach(watch->client, id, NO_SEAT, watch->ask.code);
    } else {
        watch->request = client_spectate(watch->client, NULL, watch->what);
    }
}

/* At a table nobody is nameless. If the name is taken, the answer is the next step all the same. */
static void on_connected(struct watch *watch, const struct client_event *event)
{
    static const uint8_t nobody[CLIENT_ID_SIZE];
    uint8_t              id[CLIENT_ID_SIZE];
    bool                 is_code = watch->what != NULL && !read_id(watch->what, id);
    if (watch->is_asked || watch->binding != 0)
        return;
    if (is_code && memcmp(event->player, nobody, sizeof nobody) == 0)
        watch->binding = client_bind_name(watch->client, play_where_name(&watch->ask.where));
    else
        ask(watch);
}

static void put_table(const struct watch *watch, const Arbiter__Lobby__Table *table)
{
    const struct phrase *phrase = &watch->match.phrase;
    for (size_t i = 0; i < table->match_id.len; i++)
        printf("%02x", table->match_id.data[i]);
    printf("  ");
    bool has_title = table->title != NULL && table->title[0] != '\0';
    if (table->game != NULL)
        phrase_text(phrase, stdout, table->game);
    if (has_title) {
        fputs("  ", stdout);
        phrase_text(phrase, stdout, table->title);
    }
    for (size_t i = 0; i < table->n_seats; i++) {
        const Arbiter__Lobby__Player *player = table->seats[i]->player;
        fputs(i == 0 ? ": " : ", ", stdout);
        phrase_text(phrase, stdout, player != NULL && player->name != NULL ? player->name : "-");
    }
    if (table->rigged)
        play_say(&watch->match, "  (rigged)", "  (gezinkt)");
    fputc('\n', stdout);
}

static void on_tables(struct watch *watch, const Arbiter__Lobby__Tables *tables)
{
    if (watch->ask.json)
        watch_json_tables(tables);
    for (size_t i = 0; i < tables->n_tables && !watch->ask.json; i++)
        put_table(watch, tables->tables[i]);
    if (tables->n_tables == 0 && !watch->ask.json)
        play_say(&watch->match, "No match that all may watch goes on.\n",
                 "Es läuft keine Partie, der alle zusehen dürfen.\n");
    end(watch, CONSOLE_OK);
}

static void on_answer(struct watch *watch, const struct client_event *event)
{
    const Arbiter__Lobby__Answer *answer =
        (const Arbiter__Lobby__Answer *) (const void *) client_message(watch->client, event);
    if (event->request == watch->binding && watch->binding != 0 && !watch->is_asked)
        ask(watch);
    if (answer == NULL || event->request != watch->request)
        return;
    if (answer->verdict != ARBITER__LOBBY__VERDICT__VERDICT_DONE) {
        complain("%s", answer->sentence != NULL ? answer->sentence : "the lobby says no.");
        end(watch, CONSOLE_DISAGREES);
    } else if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLES) {
        on_tables(watch, answer->tables);
    } else if (answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_TABLE &&
               answer->table->phase == ARBITER__LOBBY__TABLE__PHASE__PHASE_OPEN &&
               !watch->ask.json) {
        play_say(&watch->match, "It has not begun; waiting.\n",
                 "Es hat noch nicht begonnen; warte.\n");
        (void) fflush(stdout);
    }
}

/* The last lines of what happened that have room below the board. */
static const char *tail(const char *bytes, size_t size, uint32_t lines)
{
    const char *at = bytes + size;
    while (at > bytes && lines > 0)
        if (*--at == '\n' && --lines == 0)
            return at + 1;
    return at;
}

static void redraw(struct watch *watch)
{
    uint32_t columns, rows, taken = 0;
    char    *board = NULL;
    size_t   size = 0;
    terminal_size(&columns, &rows);
    watch->match.out = open_memstream(&board, &size);
    if (watch->match.out == NULL)
        abort();
    play_match_draw(&watch->match);
    fclose(watch->match.out);
    watch->match.out = watch->log;
    (void) fflush(watch->log);
    for (size_t i = 0; i < size; i++)
        taken += board[i] == '\n';
    fputs("\033[H\033[J", stdout);
    fputs(board, stdout);
    if (rows > taken + 2)
        fputs(tail(watch->log_bytes, watch->log_size, rows - taken - 1), stdout);
    (void) fflush(stdout);
    free(board);
}

/* What happened is kept for its last lines only. */
static void open_log(struct watch *watch)
{
    if (watch->log != NULL)
        fclose(watch->log);
    free(watch->log_bytes);
    watch->log = open_memstream(&watch->log_bytes, &watch->log_size);
    if (watch->log == NULL)
        abort();
    watch->match.out = watch->log;
}

static void show(struct watch *watch)
{
    if (watch->ask.json) {
        if (watch->log_size > LOG_BYTES_MAX)
            open_log(watch);
    } else if (watch->is_terminal) {
        redraw(watch);
        if (watch->log_size > LOG_BYTES_MAX)
            open_log(watch);
    } else if (!watch->is_drawn) {
        play_match_draw(&watch->match);
    }
    watch->is_drawn = true;
    (void) fflush(stdout);
    if (watch->ask.once)
        end(watch, CONSOLE_OK);
}

/* How it ended, and what was hidden. */
static void finish(struct watch *watch)
{
    if (watch->ask.json) {
        watch_json_over();
    } else if (watch->is_terminal) {
        redraw(watch);
    } else {
        fputs("\n\n", stdout);
        play_match_draw(&watch->match);
    }
    end(watch, CONSOLE_OK);
}

static void on_attached(struct watch *watch, const struct client_event *event)
{
    if (!play_match_attached(&watch->match, event)) {
        console_complain("this build does not know the game, or these rules of it.");
        end(watch, CONSOLE_BAD_INPUT);
        return;
    }
    if (watch->ending_s > 0) {
        finish(watch);
        return;
    }
    watch->has_match = watch->wants_look = true;
    if (watch->match.phrase.view == NULL)
        return;
    watch->wants_look = false;
    show(watch);
}

/* Of the number that is 0 no engine is asked: it is malformed. */
static bool names_no_match(Arbiter__Wire__Refusal refusal)
{
    return refusal == REFUSAL(NO_SUCH_MATCH) || refusal == REFUSAL(MALFORMED);
}

static void on_lost(struct watch *watch, const struct client_event *event)
{
    const Arbiter__Wire__Refused *refused =
        (const Arbiter__Wire__Refused *) (const void *) client_message(watch->client, event);
    if (refused != NULL && names_no_match(refused->refusal))
        complain("there is no match %s, or it was over long ago; \"arbiter watch\" lists those "
                 "that go on.",
                 watch->what);
    else
        complain("this match cannot be watched: %s", refused != NULL && refused->sentence != NULL
                                                         ? refused->sentence
                                                         : "nobody knows it here.");
    end(watch, CONSOLE_DISAGREES);
}

/* The house knows a match for a while after its end, and shows whoever comes then what it showed nobody
 * before. */
static void on_over(struct watch *watch)
{
    if (watch->ending_s > 0)
        return;
    watch->match.is_over = true;
    watch->ending_s = seconds_now() + LAST_VIEW_S;
    client_detach(watch->client, watch->match.id, NO_SEAT);
    if (!client_attach(watch->client, watch->match.id, NO_SEAT, watch->ask.code))
        finish(watch);
}

static void on_view(struct watch *watch, const struct client_event *event)
{
    play_match_view(&watch->match, event);
    if (watch->ending_s <= 0)
        show(watch);
}

static void hear(struct watch *watch, const struct client_event *event)
{
    switch (event->kind) {
    case CLIENT_CONNECTED: on_connected(watch, event); break;
    case CLIENT_ANSWER: on_answer(watch, event); break;
    case CLIENT_ATTACHED:
        if (watch->ask.json)
            watch_json_view(watch->client, event);
        on_attached(watch, event);
        break;
    case CLIENT_ACT:
        if (watch->ending_s > 0)
            break; /* All has been told. */
        if (watch->ask.json)
            watch_json_act(watch->client, event);
        play_match_act(&watch->match, event);
        watch->wants_look = !watch->ask.json;
        break;
    case CLIENT_VIEW: on_view(watch, event); break;
    case CLIENT_OVER: on_over(watch); break;
    case CLIENT_LOST: watch->ending_s > 0 ? finish(watch) : on_lost(watch, event); break;
    case CLIENT_REFUSED:
        console_complain("the lobby does not serve this key; has its operator admitted it?");
        end(watch, CONSOLE_DISAGREES);
        break;
    default: break;
    }
}

/* An engine that does not know a match is asked for a while, for it may be taking it over. True: it was said. */
static bool complain_of_silence(const struct watch *watch)
{
    uint8_t id[CLIENT_ID_SIZE];
    if (!watch->is_asked)
        console_complain("the lobby does not answer yet; still asking. Does \"arbiter up\" run?");
    else if (!watch->has_match && watch->what != NULL && read_id(watch->what, id))
        complain("no engine knows the match %s yet; still asking. \"arbiter watch\" lists those "
                 "that go on.",
                 watch->what);
    else
        return false;
    return true;
}

static int follow(struct watch *watch)
{
    struct client_event event;
    double              begun_s = seconds_now();
    bool                is_said = false;
    while (!watch->is_done && !interrupted()) {
        while (!watch->is_done && client_next(watch->client, 0, &event))
            hear(watch, &event);
        if (watch->has_match && watch->wants_look && !watch->match.is_over) {
            watch->looking = client_look(watch->client, watch->match.id, NO_SEAT);
            watch->wants_look = watch->looking == 0;
        }
        if (watch->ending_s > 0 && seconds_now() > watch->ending_s && !watch->is_done)
            finish(watch);
        (void) fflush(stdout);
        if (!is_said && seconds_now() - begun_s > QUIET_S)
            is_said = complain_of_silence(watch);
        if (!watch->is_done)
            client_wait(watch->client, NULL, 0, 200);
    }
    if (watch->has_match && !watch->ask.once && !watch->ask.json)
        fputc('\n', stdout);
    return watch->is_done ? watch->code : CONSOLE_INTERRUPTED;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct watch watch;
    struct words        words;
    int                 code = CONSOLE_OK;
    if (!console_read(self, argc, argv, &watch.ask, &words))
        return CONSOLE_USAGE;
    watch.what = words.count > 0 ? words.word[0] : NULL;
    watch.client = play_where_open(&watch.ask.where, 0, &code);
    if (watch.client == NULL)
        return code;
    play_match_init(&watch.match, watch.client, watch.ask.language, watch.ask.is_ascii);
    watch.is_terminal =
        isatty(STDOUT_FILENO) == 1 && !watch.ask.once && watch.what != NULL && !watch.ask.json;
    if (watch.is_terminal || watch.ask.json)
        open_log(&watch);
    code = follow(&watch);
    if (watch.log != NULL)
        fclose(watch.log);
    free(watch.log_bytes);
    play_match_close(&watch.match);
    client_close(&watch.client);
    return code;
}

const struct console_command command_watch = {
    .name = "watch",
    .arguments = "[MATCH]",
    .summary = "Shows a match while it is played.",
    .about =
        "  arbiter watch                                     lists matches that all may watch\n"
        "  arbiter watch 49b207b8dfe1383c6b8b96b0682c9a1a    shows one of them\n"
        "  arbiter watch MVL63TX5                            the match of a table, by its code\n\n"
        "You see the board and what happens, as spectators may see it. \"arbiter play\" says the\n"
        "number of its match. Ctrl-C ends it.\n",
    .options = options,
    .words_least = 0,
    .words_most = 1,
    .run = run,
};
