/* match.c: `arbiter match`: takes a match out of the journal, ends one that goes on, or releases one that is held. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "match/match.h"
#include "services/console/care/operator.h"
#include "services/console/command/console.h"
#include "services/console/records/export.h"
#include "services/console/records/match_list.h"

struct match_ask {
    struct play_where where;
    const char       *reason, *store;
    bool              json;
};

static int run_export(const struct match_ask *asked, uint8_t *id, const char *file)
{
    char hex[2 * MATCH_ID_SIZE + 1], path[sizeof hex + sizeof ".match"];
    (void) snprintf(path, sizeof path, "%s.match",
                    sodium_bin2hex(hex, sizeof hex, id, MATCH_ID_SIZE));
    const struct export_place place = { asked->where.home, asked->store };
    return export_match(&place, id, file != NULL ? file : path);
}

static int run_abort(const struct match_ask *asked, uint8_t *id, const char *file)
{
    Arbiter__Lobby__AbortMatch abort = ARBITER__LOBBY__ABORT_MATCH__INIT;
    Arbiter__Lobby__Ask        ask = ARBITER__LOBBY__ASK__INIT;
    if (file != NULL) {
        complain("\"%s\" is too much: \"match abort\" takes a match's id alone.", file);
        return CONSOLE_USAGE;
    }
    if (!operator_is_reason(asked->reason))
        return CONSOLE_USAGE;
    abort.has_match_id = true;
    abort.match_id = (ProtobufCBinaryData){ MATCH_ID_SIZE, id };
    abort.reason = (char *) asked->reason;
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_ABORT_MATCH;
    ask.abort_match = &abort;
    return operator_say(&asked->where, &ask);
}

/* All matches of the journal; those that go on, too. */
static int run_list(const struct match_ask *asked, const struct words *words)
{
    const struct export_place place = { asked->where.home, asked->store };
    if (words->count > 1) {
        complain("\"%s\" is too much: \"match list\" takes no match.", words->word[1]);
        return CONSOLE_USAGE;
    }
    return match_list(&place, asked->json);
}

static int run_accept(const struct match_ask *asked, uint8_t *id, const char *file)
{
    Arbiter__Lobby__AcceptMatch accept = ARBITER__LOBBY__ACCEPT_MATCH__INIT;
    Arbiter__Lobby__Ask         ask = ARBITER__LOBBY__ASK__INIT;
    if (file != NULL) {
        complain("\"%s\" is too much: \"match accept\" takes a match's id alone.", file);
        return CONSOLE_USAGE;
    }
    accept.has_match_id = true;
    accept.match_id = (ProtobufCBinaryData){ MATCH_ID_SIZE, id };
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_ACCEPT_MATCH;
    ask.accept_match = &accept;
    return operator_say(&asked->where, &ask);
}

static const struct {
    const char *name;
    int (*run)(const struct match_ask *asked, uint8_t *id, const char *file);
} deeds[] = {
    { "export", run_export },
    { "abort", run_abort },
    { "accept", run_accept },
};

static int run(const struct console_command *self, int argc, char **argv)
{
    struct match_ask asked = { .reason = NULL };
    struct words     words;
    uint8_t          id[MATCH_ID_SIZE];
    size_t           size = 0;
    if (!console_read(self, argc, argv, &asked, &words))
        return CONSOLE_USAGE;
    if (strcmp(words.word[0], "list") == 0)
        return run_list(&asked, &words);
    if (words.count < 2) {
        complain("\"match %s\" takes a match's id.", words.word[0]);
        return CONSOLE_USAGE;
    }
    const char *said = words.word[1];
    if (sodium_hex2bin(id, sizeof id, said, strlen(said), NULL, &size, NULL) != 0 ||
        size != sizeof id) {
        complain("\"%s\" is no match's id: it has 32 hexadecimal digits, as \"arbiter watch\" "
                 "lists them.",
                 said);
        return CONSOLE_USAGE;
    }
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++)
        if (strcmp(deeds[i].name, words.word[0]) == 0)
            return deeds[i].run(&asked, id, words.count > 2 ? words.word[2] : NULL);
    complain("\"%s\" is none of list, export, abort, accept.", words.word[0]);
    return CONSOLE_USAGE;
}

static const struct option options[] = {
    OPERATOR_HOME_ROW(struct match_ask),
    { .name = "reason",
      .value = "TEXT",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct match_ask, reason),
      .help = "abort: what the players read, at most 120 bytes." },
    { .name = "store",
      .value = "PLACE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct match_ask, store),
      .help = "export, list: the engines' database, the text of their --store. Default: the home's "
              "journal." },
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct match_ask, json),
      .help = "list: prints JSON." },
    { .name = NULL },
};

const struct console_command command_match = {
    .name = "match",
    .arguments = "list | export ID [FILE] | abort ID | accept ID",
    .summary = "Lists matches, writes one to a file that anybody can verify, ends or releases one.",
    .about =
        "  arbiter match list\n"
        "  arbiter match export 49b207b8dfe1383c6b8b96b0682c9a1a\n"
        "  arbiter match abort 49b207b8dfe1383c6b8b96b0682c9a1a --reason \"The room closes.\"\n"
        "\n"
        "list: every match in the journal, newest last: its game, when it began, how it\n"
        "ended, and who sat there.\n"
        "\n"
        "export: writes a match from the journal in --home as a file, ID.match unless you\n"
        "name another. Arbiter may run or not. The file of a finished match has its\n"
        "secrets, so \"arbiter verify\" can judge it without a server. The file of a match\n"
        "that goes on has no end yet.\n"
        "\n"
        "abort: ends a match that goes on. Nobody wins. The players are told the reason.\n"
        "\n"
        "accept: lets a match go on that its engine holds. An engine holds a match when\n"
        "others were told acts that its store does not have: the store was set back. The\n"
        "engine's log names the match, the act it stands at and the act that was told.\n"
        "With \"accept\" the lost acts are given up. \"abort\" ends the match instead.\n",
    .options = options,
    .words_least = 1,
    .words_most = 3,
    .run = run,
};
