/* verify.c: `arbiter verify`: whether match files are what really happened. */
#include "match/verify.h"

#include <inttypes.h>
#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>

#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/command/terminal.h"
#include "services/console/records/export.h"

struct verify_ask {
    struct export_place place;
    bool                json;
};

static const struct option options[] = {
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct verify_ask, json),
      .help = "Prints JSON, one object per line." },
    EXPORT_OPTIONS(struct verify_ask, place),
    { .name = NULL },
};

static void print_text(const char *path, const struct verify_report *report, const char *chain)
{
    terminal_put(stdout, path, strlen(path));
    if (!report->holds) {
        fputs(report->is_match ? ": does not hold: " : ": ", stdout);
        terminal_put(stdout, report->fault.bytes, report->fault.size);
        putchar('\n');
        return;
    }
    fputs(report->replayed ? ": holds: " : ": chain holds, moves not replayed: ", stdout);
    terminal_put(stdout, report->game, strlen(report->game));
    printf(", rules %" PRIu32 ", %" PRIu64 " acts, %s, chain %s\n", report->rules_version,
           report->acts, report->finished ? "finished" : "ended by the house", chain);
    for (uint32_t seat = 0; seat < report->seats; seat++)
        printf("  seat %" PRIu32 ": %s\n", seat, verify_bytes_said(&report->bytes_of[seat]));
    if (!report->replayed)
        printf("  this build has no rules %" PRIu32 " of that game; one that has can replay it\n",
               report->rules_version);
}

/* By seat; NULL with open dice. */
static json_t *bytes_json(const struct verify_report *report)
{
    json_t *list = report->holds && report->seats > 0 ? json_array() : NULL;
    for (uint32_t seat = 0; list != NULL && seat < report->seats; seat++)
        json_array_append_new(list, json_string(verify_bytes_said(&report->bytes_of[seat])));
    return list;
}

static void print_json(const char *path, const struct verify_report *report, const char *chain)
{
    json_t *json = json_pack(
        "{s:s* s:b s:b s:b s:s* s:I s:I s:b s:s s:o* s:s*}", "file", path, "match",
        report->is_match, "holds", report->holds, "replayed", report->holds && report->replayed,
        "game", report->game, "rules", (json_int_t) report->rules_version, "acts",
        (json_int_t) report->acts, "finished", report->finished, "chain", chain, "dice",
        bytes_json(report), "fault", report->holds ? NULL : report->fault.bytes);
    json_dumpf(json, stdout, JSON_COMPACT | JSON_ENSURE_ASCII);
    putchar('\n');
    json_decref(json);
}

static int verify_one(const char *path, const struct verify_ask *ask)
{
    struct verify_report report;
    char                 chain[2 * MATCH_HASH_SIZE + 1];
    size_t               size = 0;
    uint8_t             *bytes = export_bytes(&ask->place, path, &size);
    if (bytes == NULL)
        return CONSOLE_BAD_INPUT;
    verify(&report, bytes, size);
    free(bytes);
    sodium_bin2hex(chain, sizeof chain, report.chain, sizeof report.chain);
    if (ask->json)
        print_json(path, &report, chain);
    else
        print_text(path, &report, chain);
    if (!report.holds)
        return report.is_match ? CONSOLE_DISAGREES : CONSOLE_BAD_INPUT;
    return report.replayed ? CONSOLE_OK : CONSOLE_BAD_INPUT; /* Anybody can write a chain. */
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct verify_ask ask = { 0 };
    struct words      words;
    struct progress   progress;
    int               worst = CONSOLE_OK;
    if (!console_read(self, argc, argv, &ask, &words) || !console_reads_once(&words, 0))
        return CONSOLE_USAGE;
    progress_start(&progress, "files", words.count);
    for (uint32_t i = 0; i < words.count; i++) {
        if (interrupted())
            return CONSOLE_INTERRUPTED;
        progress_clear(&progress);
        int code = verify_one(words.word[i], &ask);
        worst = code > worst ? code : worst;
        progress_show(&progress, i + 1);
    }
    progress_clear(&progress);
    return worst;
}

const struct console_command command_verify = {
    .name = "verify",
    .arguments = "FILE... | ID...",
    .summary = "Checks match files: chain, dice, every move, the outcome.",
    .about = "  arbiter verify nim.match\n"
             "  arbiter verify *.match --json          one JSON object for each file\n"
             "\n"
             "Checks match files without a server; for a match's id, the match in the journal\n"
             "in --home:\n"
             "\n"
             "  the chain of hashes over the stored bytes\n"
             "  the dice, against the secret the house committed to, and who gave bytes to them\n"
             "  every command, against the rules\n"
             "  every event and every sealed box, against what the rules say\n"
             "  the outcome and the final state\n"
             "\n"
             "Exit code 1: a file does not hold. Exit code 3: a file is no match file, or this\n"
             "build lacks the rules of its version. Without these rules only chain and dice\n"
             "are checked, so the moves may be invented. With several files the highest exit\n"
             "code counts.\n"
             "\n"
             "A file cannot prove that it is the match you played. Compare the chain that\n"
             "verify prints with the chain the players saw.\n" CONSOLE_STDIN "\n",
    .options = options,
    .words_least = 1,
    .words_most = UINT32_MAX,
    .run = run,
};
