/* engine_legal.c: what a seat may do now, for a client that has not the whole state. Pure. */
#include <string.h>

#include "services/engine/engine_parts.h"
#include "wire/varint.h"

/* A command at most so often judged, evenly spread over the list; as match/policy.h's greedy player. */
#define LOOKS_MAX 4096u
#define NUMBERS_MAX 6000u       /* Of patterns; 5 bytes each at most.                         */
#define VALUES_BYTES_MAX 24576u /* Together they leave room for a command.                   */

size_t engine_legal_bytes(const struct match_terms *terms)
{
    const struct bounds *bounds = &terms->bounds;
    return bounds->legal_patterns * sizeof(struct pattern) + bounds->legal_values * sizeof(word) +
           bounds->text_bytes + 16;
}

static uint8_t *list_at(const struct engine *engine, const struct match_terms *terms,
                        struct legal *list)
{
    const struct bounds *bounds = &terms->bounds;
    uint8_t             *at = engine->scratch;
    *list = (struct legal){ .value = (word *) (void *) at,
                            .values_max = bounds->legal_values,
                            .patterns_max = bounds->legal_patterns };
    at += bounds->legal_values * sizeof(word);
    list->pattern = (struct pattern *) (void *) at;
    return at + bounds->legal_patterns * sizeof(struct pattern);
}

/* A number that may be negative, as protobuf's sint64. */
static uint64_t zigzag(word value)
{
    uint64_t twice = (uint64_t) value << 1;
    return value < 0 ? ~twice : twice;
}

/* How many of the values fit a message. */
static uint32_t values_that_fit(const struct legal *list)
{
    uint32_t bytes = 0;
    uint32_t count = 0;
    while (count < list->values) {
        bytes += varint_size(zigzag(list->value[count]));
        if (bytes > VALUES_BYTES_MAX)
            break;
        count++;
    }
    return count;
}

static void put_list(const struct legal *list, Arbiter__Engine__LegalAnswer *answer,
                     struct outbox *out)
{
    uint32_t fit = values_that_fit(list);
    answer->values =
        (int64_t *) (void *) outbox_copy(out, list->value, fit * sizeof *answer->values);
    answer->n_values = fit;
    answer->patterns = outbox_take(out, NUMBERS_MAX * sizeof *answer->patterns);
    for (uint32_t i = 0; i < list->patterns && !answer->cut; i++) {
        const struct pattern *pattern = &list->pattern[i];
        answer->cut = answer->n_patterns + 2 + (size_t) 2 * pattern->args > NUMBERS_MAX;
        for (uint32_t j = 0; j < pattern->args; j++)
            if (pattern->arg[j].first + pattern->arg[j].count > fit)
                answer->cut = true;
        if (answer->cut)
            break;
        answer->patterns[answer->n_patterns++] = pattern->kind;
        answer->patterns[answer->n_patterns++] = pattern->args;
        for (uint32_t j = 0; j < pattern->args; j++) {
            answer->patterns[answer->n_patterns++] = pattern->arg[j].first;
            answer->patterns[answer->n_patterns++] = pattern->arg[j].count;
        }
    }
    answer->has_cut = answer->cut;
}

static ProtobufCBinaryData encoded(const struct engine *engine, const struct hosted *hosted,
                                   const struct command *command, struct outbox *out)
{
    uint8_t *bytes = engine->scratch + engine->settings.room_bytes / 2;
    size_t   size = plan_encode_command(hosted->setup->terms.form->commands, command, bytes,
                                        engine->settings.room_bytes / 2);
    return (ProtobufCBinaryData){ size, outbox_copy(out, bytes, size) };
}

/* The command that the game's own judgement likes best; the first of equals. */
static void put_best(const struct engine *engine, const struct hosted *hosted, uint32_t seat,
                     const struct legal *list, Arbiter__Engine__LegalAnswer *answer,
                     struct outbox *out)
{
    const struct match_terms *terms = &hosted->setup->terms;
    uint64_t                  count = legal_count(list);
    uint64_t                  looks = count < LOOKS_MAX ? count : LOOKS_MAX;
    struct command            best = { .kind = 0 };
    int64_t                   liked = INT64_MIN;
    if (terms->game->judge == NULL || count == 0)
        return;
    for (uint64_t i = 0; i < looks; i++) {
        struct command command;
        legal_pick(list, count / looks * i, &command);
        int64_t likes = terms->game->judge(terms->setup, hosted->match->state, seat, &command);
        if (best.kind == 0 || likes > liked) {
            best = command;
            liked = likes;
        }
    }
    answer->has_best = true;
    answer->best = encoded(engine, hosted, &best, out);
}

static void put_proposal(const struct engine *engine, const struct hosted *hosted, uint32_t seat,
                         uint64_t luck, uint8_t *text, Arbiter__Engine__LegalAnswer *answer,
                         struct outbox *out)
{
    const struct match_terms *terms = &hosted->setup->terms;
    struct command            command;
    struct dice               dice;
    dice_splitmix(&dice, luck);
    if (terms->game->propose == NULL ||
        !terms->game->propose(terms->setup, hosted->match->state, seat, &dice, &command, text,
                              terms->bounds.text_bytes))
        return;
    answer->has_proposal = true;
    answer->proposal = encoded(engine, hosted, &command, out);
}

Arbiter__Engine__LegalAnswer *engine_legal_answer(const struct engine *engine,
                                                  const struct hosted *hosted, uint32_t seat,
                                                  const Arbiter__Engine__LegalAsk *ask,
                                                  struct outbox                   *out)
{
    struct legal                  list;
    Arbiter__Engine__LegalAnswer *answer =
        outbox_message(out, &arbiter__engine__legal_answer__descriptor);
    answer->has_number = true;
    answer->number = hosted->match->number;
    if (hosted->phase != PHASE_PLAYED)
        return answer;
    uint8_t *text = list_at(engine, &hosted->setup->terms, &list);
    match_legal(hosted->match, seat, &list);
    answer->has_wait = (match_to_act(hosted->match) >> seat & 1) != 0;
    answer->wait = hosted->wait;
    put_list(&list, answer, out);
    if (ask->has_best && ask->best)
        put_best(engine, hosted, seat, &list, answer, out);
    if (ask->has_luck)
        put_proposal(engine, hosted, seat, ask->luck, text, answer, out);
    return answer;
}

void engine_on_legal_ask(struct engine *engine, const struct event *event, struct outbox *out)
{
    const Arbiter__Engine__LegalAsk *ask = BODY(Arbiter__Engine__LegalAsk, event);
    struct hosted                   *hosted = engine_match_asked(engine, event, out);
    uint32_t                         seat = event->header.seat;
    if (hosted == NULL)
        return;
    const struct session *session = engine_session_find(hosted, seat, event->header.session);
    if (session == NULL || memcmp(session->key, event->caller.key, sizeof session->key) != 0) {
        engine_refuse(engine, event, session == NULL ? REFUSAL(ATTACH_AGAIN) : REFUSAL(NOT_YOURS),
                      0, "This session is unknown, closed or another's; attach again.", out);
        return;
    }
    engine_answer(engine, event, KIND(LEGAL_ANSWER), hosted->match->number,
                  engine_legal_answer(engine, hosted, seat, ask, out), out);
}
