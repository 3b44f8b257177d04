/* audit.c: `arbiter audit`: who banned, silenced, erased and ended what, and when. */
#include <inttypes.h>
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bus/keys.h"
#include "services/console/care/operator.h"
#include "services/console/command/console.h"
#include "services/console/command/terminal.h"
#include "services/console/play/ask_lobby.h"

#define MS 1000

struct audit_ask {
    struct play_where where;
    const char       *since;
    bool              json;
};

/* What was read so far, newest first. */
struct reading {
    json_t  *list;
    uint64_t before; /* The lowest number so far. */
    bool     more;
};

static const struct {
    Arbiter__Lobby__Audited__Deed deed;
    const char                   *name, *undone;
} deeds[] = {
    { ARBITER__LOBBY__AUDITED__DEED__DEED_ADMIT, "admit", "revoke" },
    { ARBITER__LOBBY__AUDITED__DEED__DEED_ABORT_MATCH, "abort", "abort" },
    { ARBITER__LOBBY__AUDITED__DEED__DEED_BAN_PLAYER, "ban", "unban" },
    { ARBITER__LOBBY__AUDITED__DEED__DEED_MUTE_PLAYER, "mute", "unmute" },
    { ARBITER__LOBBY__AUDITED__DEED__DEED_FORGET_PLAYER, "forget", "forget" },
    { ARBITER__LOBBY__AUDITED__DEED__DEED_DRAIN_ENGINE, "drain", "undrain" },
    { ARBITER__LOBBY__AUDITED__DEED__DEED_ACCEPT_MATCH, "accept", "accept" },
    { ARBITER__LOBBY__AUDITED__DEED__DEED_ANNOUNCE, "announce", "unannounce" },
};

static const char *deed_name(const Arbiter__Lobby__Audited *one)
{
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
        if (deeds[i].deed == one->deed)
            return one->undone ? deeds[i].undone : deeds[i].name;
    return "?";
}

/* VERDICT_NOT_ALLOWED as "not allowed". */
static void outcome_of(const Arbiter__Lobby__Audited *one, char text[32])
{
    static const char               prefix[] = "VERDICT_";
    const ProtobufCEnumValue *const value = protobuf_c_enum_descriptor_get_value(
        &arbiter__lobby__verdict__descriptor, (int) one->verdict);
    const char *name = value != NULL ? value->name + sizeof prefix - 1 : "?";
    size_t      at = 0;
    for (; name[at] != '\0' && at < 31; at++)
        text[at] = name[at] == '_'                      ? ' '
                   : name[at] >= 'A' && name[at] <= 'Z' ? (char) (name[at] - 'A' + 'a')
                                                        : name[at];
    text[at] = '\0';
}

static json_t *hex_of(const ProtobufCBinaryData *bytes)
{
    char hex[2 * 32 + 1] = "";
    if (bytes->len <= 32)
        (void) sodium_bin2hex(hex, sizeof hex, bytes->data, bytes->len);
    return json_string(hex);
}

static json_t *key_of(const ProtobufCBinaryData *key)
{
    char text[BUS_KEY_TEXT] = "";
    if (key->len == BUS_KEY_SIZE)
        bus_key_write(text, key->data);
    return json_string(text);
}

/* Somebody who was forgotten is his id alone. */
static void put_target(json_t *to, const Arbiter__Lobby__Audited *one)
{
    if (one->player != NULL) {
        json_object_set_new(to, "player", hex_of(&one->player->player));
        if (one->player->name != NULL)
            json_object_set_new(to, "player_name", json_string(one->player->name));
    }
    if (one->has_match_id)
        json_object_set_new(to, "match", hex_of(&one->match_id));
    if (one->admitted == NULL)
        return;
    json_object_set_new(to, "admitted", key_of(&one->admitted->key));
    if (one->admitted->name != NULL)
        json_object_set_new(to, "admitted_name", json_string(one->admitted->name));
    if (one->admitted->helper)
        json_object_set_new(to, "as_helper", json_true());
}

static json_t *deed_json(const Arbiter__Lobby__Audited *one)
{
    char outcome[32];
    outcome_of(one, outcome);
    json_t *to = json_pack("{s:I s:I s:s s:s s:o s:s* s:s* s:b s:s* s:s*}", "number",
                           (json_int_t) one->number, "at_ms", (json_int_t) one->at_ms, "deed",
                           deed_name(one), "outcome", outcome, "key", key_of(&one->key), "key_name",
                           one->key_name, "token", one->token, "helper", one->helper, "text",
                           one->text, "reason", one->reason);
    if (to == NULL)
        return json_object();
    put_target(to, one);
    if (one->has_until_ms)
        json_object_set_new(to, "until_ms", json_integer((json_int_t) one->until_ms));
    return to;
}

static void take(void *taker, const Arbiter__Lobby__Answer *answer)
{
    struct reading              *reading = taker;
    const Arbiter__Lobby__Audit *audit =
        answer->kind_case == ARBITER__LOBBY__ANSWER__KIND_AUDIT ? answer->audit : NULL;
    /* A page that does not go further back is the last one, whatever it says. */
    reading->more =
        audit != NULL && audit->more && audit->n_deeds > 0 &&
        (reading->before == 0 || audit->deeds[audit->n_deeds - 1]->number < reading->before);
    for (size_t i = 0; audit != NULL && i < audit->n_deeds; i++) {
        json_array_append_new(reading->list, deed_json(audit->deeds[i]));
        reading->before = audit->deeds[i]->number;
    }
}

/* Page by page, until there is no more in reach. */
static int read_all(struct client *client, uint64_t since_ms, struct reading *reading)
{
    int code;
    do {
        Arbiter__Lobby__ListAudit list = ARBITER__LOBBY__LIST_AUDIT__INIT;
        Arbiter__Lobby__Ask       ask = ARBITER__LOBBY__ASK__INIT;
        list.has_before = reading->before != 0;
        list.before = reading->before;
        list.has_since_ms = since_ms != 0;
        list.since_ms = since_ms;
        ask.kind_case = ARBITER__LOBBY__ASK__KIND_LIST_AUDIT;
        ask.list_audit = &list;
        code = ask_lobby_for(client, &ask, "the lobby refuses", take, reading);
    } while (code == CONSOLE_OK && reading->more);
    return code;
}

static void put_time(json_int_t at_ms)
{
    char      when[32] = "-";
    time_t    seconds = (time_t) (at_ms / MS);
    struct tm parts;
    if (gmtime_r(&seconds, &parts) != NULL)
        (void) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &parts);
    fputs(when, stdout);
}

static bool put_word(const char *before, const json_t *deed, const char *member)
{
    const char *text = json_string_value(json_object_get(deed, member));
    if (text == NULL)
        return false;
    fputs(before, stdout);
    terminal_put(stdout, text, strlen(text));
    return true;
}

/* One line: when, who, what, to whom, how it ended, why. */
static void put_deed(const json_t *deed)
{
    put_time(json_integer_value(json_object_get(deed, "at_ms")));
    if (!put_word("  ", deed, "key_name"))
        put_word("  ", deed, "key");
    put_word(" for ", deed, "token");
    fputs(json_is_true(json_object_get(deed, "helper")) ? " (helper)" : "", stdout);
    put_word("  ", deed, "deed");
    if (!put_word(" ", deed, "player_name"))
        put_word(" ", deed, "player");
    put_word(" ", deed, "match");
    if (!put_word(" ", deed, "admitted_name"))
        put_word(" ", deed, "admitted");
    put_word(" ", deed, "text");
    const json_t *until = json_object_get(deed, "until_ms");
    if (until != NULL) {
        fputs(" until ", stdout);
        put_time(json_integer_value(until));
    }
    put_word(": ", deed, "outcome");
    put_word("  # ", deed, "reason");
    putchar('\n');
}

static void put_all(const json_t *list, bool as_json)
{
    if (as_json) {
        (void) json_dumpf(list, stdout, JSON_INDENT(2));
        putchar('\n');
        return;
    }
    for (size_t i = json_array_size(list); i > 0; i--) /* The newest is the last line. */
        put_deed(json_array_get(list, i - 1));
}

/* A day, or a moment of it, in UTC; false after the complaint. */
static bool read_since(const char *text, uint64_t *since_ms)
{
    struct tm   parts = { .tm_mday = 0 };
    const char *rest = text == NULL ? NULL : strptime(text, "%Y-%m-%d", &parts);
    *since_ms = 0;
    if (text == NULL)
        return true;
    if (rest != NULL && (*rest == ' ' || *rest == 'T'))
        rest = strptime(rest + 1, "%H:%M", &parts);
    time_t seconds = rest != NULL && *rest == '\0' ? timegm(&parts) : -1;
    if (seconds < 0) {
        complain("\"%s\" is no time: --since 2026-11-20, or --since \"2026-11-20 14:30\", in UTC.",
                 text);
        return false;
    }
    *since_ms = (uint64_t) seconds * MS;
    return true;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct audit_ask asked = { .json = false };
    struct reading   reading = { .before = 0 };
    struct words     words;
    uint64_t         since_ms;
    int              code;
    if (!console_read(self, argc, argv, &asked, &words) || !read_since(asked.since, &since_ms))
        return CONSOLE_USAGE;
    struct client *client = operator_open(&asked.where, &code);
    if (client == NULL)
        return code;
    reading.list = json_array();
    code = read_all(client, since_ms, &reading);
    client_close(&client);
    if (code == CONSOLE_OK)
        put_all(reading.list, asked.json);
    json_decref(reading.list);
    return code;
}

static const struct option options[] = {
    OPERATOR_WHERE_ROWS(struct audit_ask),
    { .name = "since",
      .value = "TIME",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct audit_ask, since),
      .help = "Only deeds since then: 2026-11-20, or \"2026-11-20 14:30\", in UTC." },
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct audit_ask, json),
      .help = "Prints JSON, newest first." },
    { .name = NULL },
};

const struct console_command command_audit = {
    .name = "audit",
    .arguments = "",
    .summary = "Lists what operators and helpers did to people and matches.",
    .about = "  arbiter audit\n"
             "  arbiter audit --since 2026-11-20 --json\n"
             "\n"
             "Each line says when, who, what, to whom, how it ended and why. Who is the name of\n"
             "the key, and of the token if it was done at the page. Deeds that were refused are\n"
             "there, too. A player who was forgotten is an id. The newest deeds are kept in\n"
             "reach (the lobby's audit_max); older ones stay in its store.\n",
    .options = options,
    .words_least = 0,
    .words_most = 0,
    .run = run,
};
