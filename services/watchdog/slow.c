/* slow.c: commands that took long, as engines and gateways tell them: the newest are kept, for whoever asks. Pure. */
#include <string.h>

#include "services/watchdog/watchdog_parts.h"

/* One takes up to 180 bytes, and a message holds 64 KiB. */
#define LIST_MAX 300u

static bool is_id(const ProtobufCBinaryData *id)
{
    return id->len == TRACE_ID_SIZE;
}

/* As its process says it; only by whom it is said is ours. */
static bool keep(struct watchdog *watchdog, const struct event *event, const char *name,
                 const Arbiter__Watchdog__SlowCommand *command)
{
    struct watchdog_slow *kept = &watchdog->slow[watchdog->slow_heard % WATCHDOG_SLOW];
    if (!is_id(&command->id) || !is_id(&command->match_id) || command->took == NULL)
        return false;
    memset(kept, 0, sizeof *kept);
    kept->role = event->caller.role;
    memcpy(kept->service, name, sizeof kept->service);
    memcpy(kept->id, command->id.data, sizeof kept->id);
    memcpy(kept->match_id, command->match_id.data, sizeof kept->match_id);
    kept->seat = command->seat;
    kept->number = command->number;
    kept->at_ms = command->at_ms;
    trace_take(kept->us, command->took);
    watchdog->slow_heard++;
    return true;
}

static Arbiter__Watchdog__SlowCommand *show(const struct watchdog_slow *kept, struct outbox *out)
{
    Arbiter__Watchdog__SlowCommand *command =
        outbox_message(out, &arbiter__watchdog__slow_command__descriptor);
    command->has_id = command->has_match_id = command->has_seat = true;
    command->id =
        (ProtobufCBinaryData){ sizeof kept->id, outbox_copy(out, kept->id, sizeof kept->id) };
    command->match_id =
        (ProtobufCBinaryData){ sizeof kept->match_id,
                               outbox_copy(out, kept->match_id, sizeof kept->match_id) };
    command->seat = kept->seat;
    command->has_number = kept->number > 0;
    command->number = kept->number;
    command->has_at_ms = command->has_role = true;
    command->at_ms = kept->at_ms;
    command->role = (Arbiter__Directory__Role) kept->role;
    command->service = (char *) outbox_copy(out, kept->service, sizeof kept->service);
    command->took = outbox_message(out, &arbiter__wire__took__descriptor);
    trace_put(kept->us, command->took);
    return command;
}

/* The newest `most` of those that were heard since, of this match (NULL: of any) and act (0: of any), the newest last. */
static Arbiter__Watchdog__SlowList *list(const struct watchdog *watchdog, uint64_t since,
                                         const uint8_t *match_id, uint64_t number,
                                         struct outbox *out)
{
    Arbiter__Watchdog__SlowList *all =
        outbox_message(out, &arbiter__watchdog__slow_list__descriptor);
    uint64_t heard = watchdog->slow_heard, count = 0;
    uint64_t kept = heard < WATCHDOG_SLOW ? heard : WATCHDOG_SLOW;
    uint64_t first = heard;
    uint64_t found[LIST_MAX];
    while (first > heard - kept && first > since && count < LIST_MAX) {
        const struct watchdog_slow *slow = &watchdog->slow[--first % WATCHDOG_SLOW];
        bool is_match = match_id == NULL || memcmp(match_id, slow->match_id, TRACE_ID_SIZE) == 0;
        if (is_match && (number == 0 || number == slow->number))
            found[count++] = first;
    }
    all->commands = outbox_take(out, (count + 1) * sizeof(void *));
    while (count > 0)
        all->commands[all->n_commands++] =
            show(&watchdog->slow[found[--count] % WATCHDOG_SLOW], out);
    all->has_heard = all->has_kept = true;
    all->heard = heard;
    all->kept = kept;
    return all;
}

void watchdog_on_slow(struct watchdog *watchdog, const struct event *event, struct outbox *out)
{
    const Arbiter__Watchdog__Slow *slow = BODY(Arbiter__Watchdog__Slow, event);
    char                           name[PEER_NAME_MAX];
    uint64_t                       before = watchdog->slow_heard;
    bool                           is_good =
        slow->name != NULL && slow->name[0] != '\0' && text_copy(name, sizeof name, slow->name);
    for (size_t i = 0; is_good && i < slow->n_commands; i++)
        is_good = keep(watchdog, event, name, slow->commands[i]);
    if (!is_good)
        outbox_refuse(out, event, REFUSAL(MALFORMED),
                      "a name of 1 to 31 bytes, and of each command id, match and took");
    if (!watchdog->settings.exports || watchdog->slow_heard == before)
        return;
    struct header header;
    header_init(&header, KIND(SLOW_LIST), NULL);
    outbox_send(out, DOOR_SIDE, 0, &header, list(watchdog, before, NULL, 0, out));
}

void watchdog_on_slow_ask(const struct watchdog *watchdog, const struct event *event,
                          struct outbox *out)
{
    static const uint8_t              any[HEADER_MATCH_SIZE];
    const Arbiter__Watchdog__SlowAsk *ask = BODY(Arbiter__Watchdog__SlowAsk, event);
    const uint8_t                    *match_id = event->header.match_id;
    if (memcmp(match_id, any, sizeof any) == 0)
        match_id = NULL;
    outbox_answer(out, event, KIND(SLOW_LIST),
                  list(watchdog, 0, match_id, ask->has_number ? ask->number : 0, out));
}
