/* lobby_time.c: what is due: what was not answered, silent registrations, votes, idle tables. Pure.
 *
 * One pass over the tables each second, and at the moment the next of them is due. What is due at many
 * tables at once is spread over several turns, so that each fits an outbox. */
#include <assert.h>
#include <string.h>

#include "services/lobby/lobby_parts.h"

void lobby_clock_begin(struct lobby *lobby, uint32_t place)
{
    const struct table *table = table_of(lobby, place);
    struct clock       *clock = &lobby->clocks[place];
    bool                is_open = table->phase == PHASE(OPEN);
    clock->again_ms = 0;
    clock->happened_ms = lobby->now_ms;
    clock->silent_ms = is_open && lobby_has_desk(lobby, table) && table->patience_ms != NO_WAKE
                           ? lobby->now_ms + table->patience_ms
                           : NO_WAKE;
    for (uint32_t i = 0; i < SEATS_MAX; i++) {
        bool is_asked =
            i < table->match_seats && table->seat[i].vacant && table->seat[i].promised == NOBODY;
        clock->vote_ms[i] = is_asked ? lobby->now_ms + lobby->settings.vote_ms : NO_WAKE;
    }
}

static bool waits_for_answer(const struct lobby *lobby, const struct table *table)
{
    if (table->stage == STAGE_STARTING && table->phase == PHASE(PLAYING))
        return true;
    for (uint32_t i = 0; i < table->seat_count && table->phase != PHASE(OVER); i++) {
        uint32_t promised = table->seat[i].promised;
        if (lobby_is_bot_missing(lobby, &table->seat[i]) || table->seat[i].changing ||
            (promised != NOBODY && player_of(lobby, promised)->bot))
            return true;
    }
    return table->abort != 0;
}

static void say_again(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    const struct table *table = table_of(lobby, place);
    lobby->clocks[place].again_ms = lobby->now_ms + lobby->settings.again_ms;
    if (table->phase == PHASE(PLAYING) && table->stage == STAGE_STARTING)
        lobby_send_start(lobby, place, out);
    if (table->phase == PHASE(PLAYING) && table->stage == STAGE_STARTED) {
        lobby_send_changes(lobby, place, out);
        if (table->abort)
            lobby_send_abort(lobby, place, out);
    }
    for (uint32_t i = 0; i < table->seat_count; i++) {
        if (table->seat[i].promised != NOBODY && player_of(lobby, table->seat[i].promised)->bot)
            lobby_call_bot(lobby, place, i, out);
        if (lobby_is_bot_missing(lobby, &table->seat[i]))
            lobby_call_back(lobby, place, i, out);
    }
}

/* Everything at this table whose time has come. */
static void look_at(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    struct table *table = table_of(lobby, place);
    struct clock *clock = &lobby->clocks[place];
    if (waits_for_answer(lobby, table) && clock->again_ms <= lobby->now_ms)
        say_again(lobby, place, out);
    for (uint32_t i = 0; i < table->match_seats; i++)
        if (table->phase == PHASE(PLAYING) && clock->vote_ms[i] <= lobby->now_ms)
            lobby_count_votes(lobby, place, i, out);
    if (table->phase == PHASE(OPEN) && clock->silent_ms <= lobby->now_ms) {
        clock->silent_ms = NO_WAKE;
        lobby_desk_expire(lobby, place, out);
    }
    if (table->used && table->phase != PHASE(PLAYING) &&
        lobby_idle_until(lobby, place) <= lobby->now_ms)
        lobby_close_table(lobby, place, "Nothing has happened here for long.", out);
}

static uint64_t earlier(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* A watchdog says that a registration's time is over; rights let nobody else say so. */
void lobby_on_expire(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    uint32_t place = lobby_find_table(lobby, event->header.match_id, HEADER_MATCH_SIZE);
    if (place == NOBODY || table_of(lobby, place)->phase != PHASE(OPEN) ||
        !lobby_has_desk(lobby, table_of(lobby, place)))
        return;
    lobby->clocks[place].silent_ms = NO_WAKE;
    lobby_desk_expire(lobby, place, out);
}

/* When this table is to be looked at next; NO_WAKE: never, by itself. */
static uint64_t due_ms(const struct lobby *lobby, uint32_t place)
{
    const struct table *table = table_of(lobby, place);
    const struct clock *clock = &lobby->clocks[place];
    uint64_t            due = waits_for_answer(lobby, table) ? clock->again_ms : NO_WAKE;
    for (uint32_t i = 0; i < table->match_seats && table->phase == PHASE(PLAYING); i++)
        due = earlier(due, clock->vote_ms[i]);
    if (table->phase == PHASE(OPEN))
        due = earlier(due, clock->silent_ms);
    if (table->phase != PHASE(PLAYING))
        due = earlier(due, lobby_idle_until(lobby, place));
    return due;
}

void lobby_on_time(struct lobby *lobby, struct outbox *out)
{
    uint64_t next = lobby->now_ms + lobby->settings.directory_ms;
    size_t   begun = out->used;
    if (lobby->tidy_ms <= lobby->now_ms) {
        lobby->tidy_ms = lobby->now_ms + lobby->settings.directory_ms;
        lobby_directory_forget_silent(lobby);
        lobby_lift_bans(lobby);
        lobby_notice_ends(lobby);
        lobby_guests_make_room(lobby, out);
        lobby_tables_make_room(lobby, out);
        lobby_bots_replace(lobby, out);
    }
    lobby_notice_spread(lobby, out);
    lobby_persons_again(lobby, out);
    lobby_unwanted_again(lobby, out);
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++) {
        uint32_t place = (lobby->looked_at + i) % lobby->settings.tables_max;
        if (!table_of(lobby, place)->used)
            continue;
        if (due_ms(lobby, place) <= lobby->now_ms) {
            if (out->used - begun > STEP_BUDGET ||
                lobby->undo_used - lobby->undo_step > STEP_BUDGET) {
                lobby->looked_at = place;
                next = lobby->now_ms;
                break;
            }
            look_at(lobby, place, out);
        }
        if (table_of(lobby, place)->used)
            next = earlier(next, due_ms(lobby, place));
    }
    outbox_wake(out, lobby_notice_is_spread(lobby) ? next : lobby->now_ms);
}
