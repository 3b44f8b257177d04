/* operator.c: `arbiter admit` and `arbiter player`: what only who runs the house may ask of its lobby.
 *
 * Each is one ask, said with the operator's key that lies in the home, and one answer. */
#include <stdio.h>
#include <string.h>

#include "clock/clock.h"
#include "contract/directory.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "services/console/care/erase.h"
#include "services/console/care/operator.h"
#include "services/console/command/console.h"
#include "services/console/command/terminal.h"
#include "services/console/play/ask_lobby.h"
#include "wire/names.h"

#define REASON_BYTES_MAX 120u /* As the lobby has it. */

struct operator_ask {
    struct play_where where;
    const char       *role, *reason, *store;
    uint64_t          minutes; /* 0: without an end.                                             */
    bool              revoke;
};

static const struct {
    const char *name;
    uint32_t    role;
} roles[] = {
    { "client", ROLE(CLIENT) },     { "engine", ROLE(ENGINE) },   { "fanout", ROLE(FANOUT) },
    { "watchdog", ROLE(WATCHDOG) }, { "gateway", ROLE(GATEWAY) }, { "bot", ROLE(BOT) },
    { "console", ROLE(CONSOLE) },   { "helper", ROLE(CLIENT) },
};

static const char *const role_names[] = { "client", "engine",  "fanout", "watchdog", "gateway",
                                          "bot",    "console", "helper", NULL };

struct client *operator_open(const struct play_where *where, int *code)
{
    return play_where_open(where, where->key != NULL ? 0 : ROLE(CONSOLE), code);
}

int operator_say(const struct play_where *where, const Arbiter__Lobby__Ask *ask)
{
    int            code;
    struct client *client = operator_open(where, &code);
    if (client == NULL)
        return code;
    code = ask_lobby(client, ask, "the lobby refuses");
    client_close(&client);
    return code;
}

static uint32_t role_named(const char *name)
{
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (strcmp(roles[i].name, name) == 0)
            return roles[i].role;
    return 0;
}

static bool is_helper(const struct operator_ask *asked)
{
    return strcmp(asked->role, "helper") == 0;
}

/* How somebody who was let in comes in. */
static void tell_way(const struct operator_ask *asked, const char *name)
{
    static struct home home;
    struct text        fault;
    if (!home_find(&home, asked->where.home, &fault) || !home_read_doors(&home, &fault))
        return;
    const struct play_where where = { .lobby = home.lobby,
                                      .lobby_stream = home.lobby_stream,
                                      .lobby_key = home.lobby_key,
                                      .key = "FILE",
                                      .name = name };
    terminal_put(stdout, name, strlen(name));
    printf(" is let in. With FILE, which \"arbiter keygen\" wrote:\n    %s %s", console_program(),
           is_helper(asked) ? "player mute NAME" : "play dead");
    play_where_put(&where, !is_helper(asked), stdout);
    if (is_helper(asked))
        fputs(" --key FILE", stdout);
    putchar('\n');
}

bool operator_is_reason(const char *reason)
{
    if (reason == NULL || strlen(reason) <= REASON_BYTES_MAX)
        return true;
    complain("--reason has %zu bytes, and %u are the most.", strlen(reason), REASON_BYTES_MAX);
    return false;
}

static void tell_admitted(const struct operator_ask *asked, uint32_t role,
                          const struct words *words)
{
    if (!asked->revoke && role == ROLE(CLIENT))
        tell_way(asked, words->word[1]);
    if (!asked->revoke)
        return;
    terminal_put(stdout, words->word[1], strlen(words->word[1]));
    printf(" is not let in any more: %s\n", words->word[0]);
}

static int run_admit(const struct console_command *self, int argc, char **argv)
{
    struct operator_ask   asked = { .role = "client" };
    struct words          words;
    struct text           fault;
    uint8_t               key[BUS_KEY_SIZE];
    Arbiter__Lobby__Admit admit = ARBITER__LOBBY__ADMIT__INIT;
    Arbiter__Lobby__Ask   ask = ARBITER__LOBBY__ASK__INIT;
    if (!console_read(self, argc, argv, &asked, &words))
        return CONSOLE_USAGE;
    if (!bus_key_find(key, words.word[0], &fault)) {
        complain(
            "\"%s\" is no public key: it has 40 characters, as \"arbiter keygen\" prints them, "
            "or is a file that has one.",
            words.word[0]);
        return CONSOLE_USAGE;
    }
    if (!play_where_is_name(words.word[1]))
        return CONSOLE_USAGE;
    admit.has_key = admit.has_role = admit.has_admitted = true;
    admit.key = (ProtobufCBinaryData){ sizeof key, key };
    admit.role = (Arbiter__Directory__Role) role_named(asked.role);
    admit.name = words.word[1];
    admit.admitted = !asked.revoke;
    admit.has_helper = admit.helper = is_helper(&asked) && !asked.revoke;
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_ADMIT;
    ask.admit = &admit;
    int code = operator_say(&asked.where, &ask);
    if (code == CONSOLE_OK)
        tell_admitted(&asked, admit.role, &words);
    return code;
}

/* What `arbiter player DEED` asks of the lobby; each is filled in from the same command line. */
struct player_deed {
    Arbiter__Lobby__BanPlayer    ban;
    Arbiter__Lobby__MutePlayer   mute;
    Arbiter__Lobby__ForgetPlayer forget;
};

static const struct {
    const char                   *name;
    Arbiter__Lobby__Ask__KindCase kind;
    bool                          is_on;
} player_deeds[] = {
    { "ban", ARBITER__LOBBY__ASK__KIND_BAN_PLAYER, true },
    { "unban", ARBITER__LOBBY__ASK__KIND_BAN_PLAYER, false },
    { "mute", ARBITER__LOBBY__ASK__KIND_MUTE_PLAYER, true },
    { "unmute", ARBITER__LOBBY__ASK__KIND_MUTE_PLAYER, false },
    { "forget", ARBITER__LOBBY__ASK__KIND_FORGET_PLAYER, true },
};

static void fill_deed(struct player_deed *deed, const struct operator_ask *asked, char *name,
                      bool is_on)
{
    arbiter__lobby__ban_player__init(&deed->ban);
    arbiter__lobby__mute_player__init(&deed->mute);
    arbiter__lobby__forget_player__init(&deed->forget);
    deed->ban.name = deed->mute.name = deed->forget.name = name;
    deed->ban.reason = deed->mute.reason = (char *) asked->reason;
    deed->ban.has_banned = deed->mute.has_muted = true;
    deed->ban.banned = deed->mute.muted = is_on;
    deed->ban.has_until_ms = deed->mute.has_until_ms = asked->minutes > 0;
    deed->ban.until_ms = deed->mute.until_ms = clock_wall_ms() + asked->minutes * 60000;
}

static int say_deed(const struct operator_ask *asked, size_t which, char *name)
{
    struct player_deed  deed;
    Arbiter__Lobby__Ask ask = ARBITER__LOBBY__ASK__INIT;
    fill_deed(&deed, asked, name, player_deeds[which].is_on);
    ask.kind_case = player_deeds[which].kind;
    if (ask.kind_case == ARBITER__LOBBY__ASK__KIND_BAN_PLAYER)
        ask.ban_player = &deed.ban;
    else if (ask.kind_case == ARBITER__LOBBY__ASK__KIND_MUTE_PLAYER)
        ask.mute_player = &deed.mute;
    else
        ask.forget_player = &deed.forget;
    return operator_say(&asked->where, &ask);
}

/* Whether a deed may end by itself, if that was asked for. */
static bool may_last(const struct operator_ask *asked, const char *deed)
{
    if (asked->minutes == 0 || strcmp(deed, "ban") == 0 || strcmp(deed, "mute") == 0)
        return true;
    complain("--for is for ban and mute, not for %s.", deed);
    return false;
}

static int run_player(const struct console_command *self, int argc, char **argv)
{
    struct operator_ask asked = { .role = NULL };
    struct words        words;
    if (!console_read(self, argc, argv, &asked, &words))
        return CONSOLE_USAGE;
    if (!may_last(&asked, words.word[0]))
        return CONSOLE_USAGE;
    if (strcmp(words.word[0], "erase") == 0)
        return erase_player(asked.where.home, asked.store, words.word[1]);
    if (!play_where_is_name(words.word[1]) || !operator_is_reason(asked.reason))
        return CONSOLE_USAGE;
    for (size_t i = 0; i < sizeof player_deeds / sizeof player_deeds[0]; i++)
        if (strcmp(words.word[0], player_deeds[i].name) == 0)
            return say_deed(&asked, i, words.word[1]);
    complain("\"%s\" is none of ban, unban, mute, unmute, forget, erase.", words.word[0]);
    return CONSOLE_USAGE;
}

static const struct option admit_options[] = {
    OPERATOR_HOME_ROW(struct operator_ask),
    { .name = "role",
      .value = "ROLE",
      .kind = OPTION_WORD,
      .words = role_names,
      .offset = offsetof(struct operator_ask, role),
      .help =
          "The role: client (default), helper, engine, fanout, watchdog, gateway, bot, console." },
    { .name = "revoke",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct operator_ask, revoke),
      .help = "Takes the admission back." },
    { .name = NULL },
};

static const struct option player_options[] = {
    OPERATOR_WHERE_ROWS(struct operator_ask),
    { .name = "for",
      .value = "MINUTES",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = 5256000,
      .offset = offsetof(struct operator_ask, minutes),
      .help = "ban, mute: ends by itself after so long. Default: it lasts." },
    { .name = "reason",
      .value = "TEXT",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct operator_ask, reason),
      .help = "What a banned or muted player reads, at most 120 bytes." },
    { .name = "store",
      .value = "PLACE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct operator_ask, store),
      .help =
          "erase: the engines' database, the text of their --store. Default: the home's journal." },
    { .name = NULL },
};

const struct console_command command_admit = {
    .name = "admit",
    .arguments = "KEY NAME",
    .summary = "Lets a key in, as a client or as a service.",
    .about = "  arbiter admit ada.key ada                      a person or a bot\n"
             "  arbiter admit engine-2.key engine-2 --role engine  a service\n"
             "  arbiter admit eve.key eve --role helper        a player who may also mute others\n"
             "  arbiter admit ada.key ada --revoke             and out again\n"
             "\n"
             "Tells the lobby of this machine to let this key in. KEY is the public half, as\n"
             "\"arbiter keygen\" prints it, or a file that has it: a key file, or a certificate\n"
             "of ZeroMQ's tools. Every service knows within two seconds.\n",
    .options = admit_options,
    .words_least = 2,
    .words_most = 2,
    .run = run_admit,
};

const struct console_command command_player = {
    .name = "player",
    .arguments = "ban|unban|mute|unmute|forget|erase NAME",
    .summary = "Bans or silences a player, lifts that, or removes a name.",
    .about = "  arbiter player ban ada --reason \"Come back on Monday.\" --for 1440\n"
             "  arbiter player unban ada\n"
             "  arbiter player mute ada --reason \"Mind your words.\" --for 60\n"
             "  arbiter player forget ada\n"
             "  arbiter player erase ada\n"
             "\n"
             "ban, unban: shuts a player out by name, and lifts the ban.\n"
             "\n"
             "mute, unmute: the player may say nothing at any table, and plays on. A helper\n"
             "(\"arbiter admit --role helper\") may do this with --key, and ban for a day.\n"
             "\n"
             "forget: removes the name from the lobby. This cannot be undone. The player\n"
             "leaves every table. A match without another person ends. The player may come\n"
             "again, as somebody new.\n"
             "\n"
             "erase: removes the name from the engine's journal, from finished matches and\n"
             "from the tables of persons too. Stop the Arbiter in --home first. Engines that\n"
             "share --store may run. They reload the matches of this player, which the other\n"
             "players notice as a pause. Matches still verify. Files that were exported before\n"
             "keep the name.\n",
    .options = player_options,
    .words_least = 2,
    .words_most = 2,
    .run = run_player,
};
