/* serve_transcript.c: a match file played again, and its lines written with the door's notes among them.
 *
 * The dice of a served match are open. So the rules say again what they said then, secrets too,
 * even of a match that somebody interrupted and that has no end. */
#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "match/file.h"
#include "services/console/classroom/serve_door.h"
#include "services/console/classroom/told.h"
#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "wire/validate.h"

#define EVENT_BYTES ((size_t) 64 << 10)

struct transcript {
    FILE                     *out;
    struct serve_record      *record;
    struct serve_door        *door;
    const struct serve_table *table;
    struct match_terms        terms;
    struct match_room         room;
    struct match             *match; /* NULL before its header. */
    struct match_act          act;
    struct arena              arena, decoded;
    void                     *memory[5];
    size_t                    noted;
    bool                      is_whole;
    char last[32]; /* The kind of the last event.                             */
    bool has_won;
};

static void put(struct transcript *out, const json_t *line)
{
    out->is_whole =
        out->is_whole && json_dumpf(line, out->out, 0) == 0 && fputc('\n', out->out) == '\n';
}

/* What was noted before the next act. */
static void put_notes(struct transcript *out, uint64_t after)
{
    const json_t *notes = out->record->notes, *note;
    while ((note = json_array_get(notes, out->noted)) != NULL &&
           (uint64_t) json_integer_value(json_object_get(note, "after")) <= after) {
        put(out, json_object_get(note, "line"));
        out->noted++;
    }
}

static uint32_t client_at(struct serve_record *record, struct serve_door *door, uint32_t seat)
{
    const struct plain_player *player = plain_of_seat(&door->plain, seat);
    return player == NULL ? RECORD_CLIENTS_MAX - 1 : serve_record_client(record, player->route);
}

json_t *serve_line(struct serve_record *record, struct serve_door *door, uint32_t to,
                   const uint8_t *bytes, size_t size)
{
    static uint8_t completed[2 * EVENT_BYTES];
    uint32_t       seat;
    bool           is_for_one = plain_is_for_one(&door->plain, bytes, size, &seat);
    size_t whole = plain_complete(&door->plain, bytes, size, NULL, completed, sizeof completed);
    if (is_for_one && to == TOLD_ALL)
        to = client_at(record, door, seat);
    json_t *line = told_event(door->plain.wire->event, to, completed, whole);
    if (line != NULL && is_for_one)
        json_object_del(json_object_get(line, "args"), "player");
    return line;
}

static bool is_public(audience to)
{
    return to == TO_ALL || to == TO_SEATS_NOW || (to & ~0xffu) == TO_ALL_BUT(0);
}

static void put_events(struct transcript *out)
{
    static uint8_t     bytes[EVENT_BYTES];
    const struct sink *sink = out->act.events;
    for (const word *event = sink_first(sink); event != NULL; event = sink_next(sink, event)) {
        uint32_t to = TOLD_ALL;
        if (event_to(event) == TO_SPECTATORS_LATER)
            continue;
        if (!is_public(event_to(event)))
            to = client_at(out->record, out->door, event_to(event) & 0xffu);
        size_t size =
            plan_encode_kind(out->table->table->events, event_kind(event), event_fields(event),
                             event_length(event), bytes, sizeof bytes);
        json_t *line = serve_line(out->record, out->door, to, bytes, size);
        if (line == NULL)
            continue;
        (void) snprintf(out->last, sizeof out->last, "%s",
                        json_string_value(json_object_get(line, "ev")));
        put(out, line);
        json_decref(line);
    }
}

static void *memory_of(struct transcript *out, uint32_t at, size_t size)
{
    out->memory[at] = calloc(1, size);
    if (out->memory[at] == NULL)
        abort();
    return out->memory[at];
}

/* The match of the header, before its first act. */
static bool prepare(struct transcript *out, const Arbiter__Match__Header *header)
{
    const struct table *table = out->table->table;
    struct match_begin  begin = { .epoch = 1 };
    struct dice         dice;
    if (!dice_open(&dice, header->dice, (uint64_t) header->seed))
        return false;
    begin.dice = &dice;
    match_terms_init(&out->terms, table->wire->game, table->setup, header->seats, MATCH_WORDS,
                     &table->form);
    match_room_init(&out->room, &out->terms, memory_of(out, 1, match_room_bytes(&out->terms)));
    out->match = match_prepare(memory_of(out, 0, match_bytes(&out->terms)), &out->terms, &begin);
    return true;
}

static uint32_t number_of(const Arbiter__Match__Act *act)
{
    uint32_t number = 0;
    for (size_t i = 0; i < act->command.len && i < sizeof number; i++)
        number = number << 8 | act->command.data[i];
    return number;
}

static bool put_command(struct transcript *out, const Arbiter__Match__Act *act)
{
    struct command command;
    arena_reset(&out->decoded);
    json_t *line = told_command(out->table->table->wire->command,
                                client_at(out->record, out->door, act->actor), act->command.data,
                                act->command.len);
    if (line != NULL)
        put(out, line);
    json_decref(line);
    return plan_decode_command(out->table->table->commands, act->command.data, act->command.len,
                               &out->decoded, &command) &&
           match_play(out->match, act->actor, &command, &out->room, &out->act) == ACCEPTED;
}

/* Plays an act again; false: it cannot be. */
static bool play(struct transcript *out, const Arbiter__Match__Act *act)
{
    const json_t *late = json_true();
    switch (act->actor) {
    case ACTOR_START: match_first(out->match, &out->room, &out->act); return true;
    case ACTOR_TIME: {
        json_t *line = json_pack("{s:O}", "timeout", late);
        put(out, line);
        json_decref(line);
        return match_expire(out->match, number_of(act), &out->room, &out->act);
    }
    case ACTOR_HOUSE: return match_leave(out->match, number_of(act), &out->room, &out->act);
    case ACTOR_ANNUL: return match_annul(out->match, &out->room, &out->act);
    default: return act->actor < SEATS_MAX && put_command(out, act);
    }
}

static bool put_act(struct transcript *out, const Arbiter__Match__Act *act)
{
    put_notes(out, act->number - 1);
    if (act->actor == ACTOR_SAY)
        return true;
    if (out->match == NULL || !play(out, act))
        return false;
    put_events(out);
    return true;
}

static bool put_acts(struct transcript *out, const uint8_t *bytes, size_t size, uint64_t *acts)
{
    struct match_file    file;
    enum match_file_step step;
    bool                 is_good = true;
    match_file_open(&file, bytes, size, &out->arena);
    while (is_good && (step = match_file_next(&file)) == MATCH_FILE_RECORD) {
        if (file.record->kind_case == ARBITER__MATCH__RECORD__KIND_HEADER)
            is_good = prepare(out, file.record->header);
        if (file.record->kind_case == ARBITER__MATCH__RECORD__KIND_ACT)
            is_good = put_act(out, file.record->act);
    }
    *acts = file.acts;
    return is_good && step == MATCH_FILE_DONE;
}

/* What a recording begins with: who registers, and the table's options. */
static void put_header(struct transcript *out)
{
    const struct table *table = out->table->table;
    json_t             *header =
        json_pack("{s:s s:s s:I s:O}", "game", table->wire->game->name, "config", "", "seed",
                  (json_int_t) out->table->seed, "players", out->record->players);
    json_t *options = table->options != NULL ? json_loads(table->options, 0, NULL) : NULL;
    json_object_set_new(header, "config", json_sprintf("%s.json", out->record->name));
    if (json_is_object(options))
        json_object_update_missing(header, options);
    if (json_object_get(header, "edition") == NULL && table->wire->game->registration != NULL)
        json_object_set_new(header, "edition", json_string("base"));
    put(out, header);
    json_decref(options);
    json_decref(header);
}

static void judge(const struct transcript *out, struct transcript_end *end)
{
    int32_t outcome[SEATS_MAX] = { 0 };
    bool    has_won = false;
    if (out->match == NULL || match_to_act(out->match) != 0)
        return;
    match_outcome(out->match, outcome);
    end->outcome = json_array();
    for (uint32_t seat = 0; seat < out->terms.seats; seat++) {
        json_array_append_new(end->outcome, json_integer(outcome[seat]));
        has_won = has_won || outcome[seat] > 0;
    }
    end->word = "over";
    if (strcmp(out->last, "Left") == 0)
        end->word = "all-left";
    else if (strcmp(out->last, "GameEnd") == 0)
        end->word = has_won ? "win" : "lose";
}

bool serve_transcript(FILE *stream, struct serve_record *record, struct serve_door *door,
                      const struct serve_table *table, const char *match_path,
                      struct transcript_end *end)
{
    struct transcript out = {
        .out = stream, .record = record, .door = door, .table = table, .is_whole = true
    };
    size_t   size = 0;
    uint8_t *bytes = match_path != NULL ? file_read(match_path, &size, NULL) : NULL;
    put_header(&out);
    bool is_good = match_path == NULL || bytes != NULL;
    if (bytes != NULL) {
        arena_init(&out.arena, memory_of(&out, 2, 2 * (size_t) MATCH_RECORD_MAX),
                   2 * (size_t) MATCH_RECORD_MAX);
        arena_init(&out.decoded, memory_of(&out, 3, VALIDATE_ARENA_BYTES), VALIDATE_ARENA_BYTES);
        is_good = put_acts(&out, bytes, size, &end->acts);
        judge(&out, end);
    }
    put_notes(&out, UINT64_MAX);
    if (!is_good)
        complain("%s cannot be played again: its transcript is not whole.", match_path);
    for (uint32_t i = 0; i < sizeof out.memory / sizeof out.memory[0]; i++)
        free(out.memory[i]);
    free(bytes);
    return out.is_whole;
}
