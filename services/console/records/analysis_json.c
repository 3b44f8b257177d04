/* analysis_json.c: an analysis for programs, an object in each line; analysis.schema.json describes them. */
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>

#include "services/console/records/analysis.h"
#include "json/json.h"

#define COMMAND_BYTES ((size_t) 1 << 16)

static json_t *share(int64_t millionths)
{
    return json_real((double) millionths / WEIGH_WON);
}

static void put_line(json_t *json)
{
    json_dumpf(json, stdout, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6));
    putchar('\n');
    (void) fflush(stdout); /* A decision may take seconds: whoever reads along has each at once. */
    json_decref(json);
}

static json_t *command_json(const struct replay *replay, const struct command *command)
{
    static uint8_t    bytes[COMMAND_BYTES];
    size_t            size = plan_encode_command(replay->commands, command, bytes, sizeof bytes);
    ProtobufCMessage *message = protobuf_c_message_unpack(replay->wire->command, NULL, size, bytes);
    json_t           *json = message != NULL ? json_of_message(message) : NULL;
    if (message != NULL)
        protobuf_c_message_free_unpacked(message, NULL);
    return json;
}

void analysis_json_begin(const struct analysis *analysis)
{
    const struct replay *replay = analysis->replay;
    char                 id[2 * MATCH_ID_SIZE + 1];
    sodium_bin2hex(id, sizeof id, replay->id, sizeof replay->id);
    put_line(json_pack("{s:s s:s s:s s:I s:i s:I s:I s:I s:{s:o s:o s:o}}", "kind", "match",
                       "match_id", id, "game", replay->game, "rules",
                       (json_int_t) replay->rules_version, "seats", (int) replay->seats, "acts",
                       (json_int_t) replay->end.acts, "nodes", (json_int_t) analysis->nodes, "seed",
                       (json_int_t) analysis->seed, "thresholds", "inaccuracy",
                       share(WEIGH_INACCURACY), "mistake", share(WEIGH_MISTAKE), "blunder",
                       share(WEIGH_BLUNDER)));
}

void analysis_json_decision(const struct analysis *analysis, const struct analyst_deed *deed,
                            enum analyst_said said, const struct weighing *weighing)
{
    static const char *const said_so[] = { "decision", "forced", "unjudged" };
    const struct replay     *replay = analysis->replay;
    json_t                  *json =
        json_pack("{s:s s:I s:i s:o*}", "kind", said_so[said], "act", (json_int_t) replay->number,
                  "seat", (int) deed->seat, "command", command_json(replay, &deed->command));
    if (said == ANALYST_JUDGED) {
        enum weigh_kind kind = weigh_kind(weighing);
        json_t         *more =
            json_pack("{s:o* s:o s:o s:o s:o s:i}", "best", command_json(replay, &weighing->best),
                      "value", share(weighing->value.worth), "given", share(weighing->given.worth),
                      "loss", share(weighing->loss.worth), "loss_error",
                      share(weighing->loss.error), "tried", (int) weighing->tried);
        if (kind != WEIGH_FINE)
            json_object_set_new(more, "called", json_string(analysis_called(kind)));
        json_object_update(json, more);
        json_decref(more);
    }
    put_line(json);
}

void analysis_json_chance(const struct analysis *analysis, uint32_t seat,
                          const struct analyst_chance *chance)
{
    put_line(json_pack("{s:s s:I s:i s:o s:o s:o s:o s:o}", "kind", "chance", "act",
                       (json_int_t) analysis->replay->number, "seat", (int) seat, "before",
                       share(chance->before.worth), "before_error", share(chance->before.error),
                       "after", share(chance->after.worth), "after_error",
                       share(chance->after.error), "luck",
                       share(chance->after.worth - chance->before.worth)));
}

static json_t *picture_json(const struct analysis_seat *seat)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < ANALYSIS_COLUMNS; i++)
        json_array_append_new(list, seat->picture[i] == ANALYSIS_UNKNOWN ? json_null()
                                                                         : share(seat->picture[i]));
    return list;
}

static json_t *seat_json(const struct analysis *analysis, uint32_t number)
{
    const struct analysis_seat *seat = &analysis->seat[number];
    int64_t                     mean = seat->decisions > 0 ? seat->loss / seat->decisions : 0;
    return json_pack("{s:i s:s* s:i s:i s:i s:i s:i s:i s:o s:i s:o s:o s:o}", "seat", (int) number,
                     "name", replay_name(analysis->replay, number), "decisions",
                     (int) seat->decisions, "forced", (int) seat->forced, "unjudged",
                     (int) seat->unjudged, "blunders", (int) seat->kinds[WEIGH_IS_BLUNDER],
                     "mistakes", (int) seat->kinds[WEIGH_IS_MISTAKE], "inaccuracies",
                     (int) seat->kinds[WEIGH_IS_INACCURACY], "mean_loss", share(mean), "chances",
                     (int) seat->chances, "luck", share(seat->luck), "luck_error",
                     share(analysis_luck_error(seat)), "picture", picture_json(seat));
}

void analysis_json_all(const struct analysis *analysis)
{
    json_t *seats = json_array(), *turned = json_array();
    for (uint32_t seat = 0; seat < analysis->replay->seats; seat++)
        json_array_append_new(seats, seat_json(analysis, seat));
    for (uint32_t i = 0; i < ANALYSIS_TURNS && analysis->turn[i].act > 0; i++) {
        const struct analysis_turn *turn = &analysis->turn[i];
        json_array_append_new(turned, json_pack("{s:I s:i s:s s:o}", "act", (json_int_t) turn->act,
                                                "seat", (int) turn->seat, "by",
                                                turn->by_chance ? "chance" : "choice", "change",
                                                share(turn->change)));
    }
    put_line(json_pack("{s:s s:b s:o s:o}", "kind", "summary", "complete", analysis->is_complete,
                       "seats", seats, "turned", turned));
}
