/* wheel.c: timers in lists, lists in slots, slots in levels of six bits each. See wheel.h. */
#include "core/wheel.h"

#include <assert.h>
#include <string.h>

#define DIGIT_BITS 6u
#define DIGITS 64u
#define LEVELS 11u /* 11 * 6 bits hold every uint64_t, so no deadline is too far. */
#define NOT_SET UINT32_MAX

struct timer {
    uint64_t due_ms;
    uint32_t next, prev; /* In its slot; NO_TIMER at the ends.                                   */
    uint32_t slot;       /* level * DIGITS + digit; NOT_SET.                                     */
    uint32_t unused;
};

struct slot {
    uint32_t first, last;
};

struct wheel {
    uint64_t     now_ms;
    uint64_t     used[LEVELS]; /* Bit d: slot d of the level holds timers.                       */
    struct slot  slots[LEVELS * DIGITS];
    uint32_t     timers_max, count;
    struct timer timers[];
};

size_t wheel_bytes(uint32_t timers_max)
{
    return sizeof(struct wheel) + (size_t) timers_max * sizeof(struct timer);
}

struct wheel *wheel_init(void *memory, uint32_t timers_max)
{
    assert(timers_max < NO_TIMER);
    struct wheel *wheel = memory;
    memset(wheel, 0, sizeof *wheel);
    wheel->timers_max = timers_max;
    for (uint32_t i = 0; i < LEVELS * DIGITS; i++)
        wheel->slots[i] = (struct slot){ .first = NO_TIMER, .last = NO_TIMER };
    for (uint32_t i = 0; i < timers_max; i++)
        wheel->timers[i].slot = NOT_SET;
    return wheel;
}

static uint32_t digit_of(uint64_t time_ms, uint32_t level)
{
    return (uint32_t) (time_ms >> (level * DIGIT_BITS)) & (DIGITS - 1);
}

/* The slot of a deadline: at the level of the highest digit in which it differs from the present. */
static uint32_t slot_of(const struct wheel *wheel, uint64_t due_ms)
{
    if (due_ms <= wheel->now_ms)
        return digit_of(wheel->now_ms, 0);
    uint32_t level = (63u - (uint32_t) __builtin_clzll(due_ms ^ wheel->now_ms)) / DIGIT_BITS;
    return level * DIGITS + digit_of(due_ms, level);
}

static void put(struct wheel *wheel, uint32_t index)
{
    struct timer *timer = &wheel->timers[index];
    timer->slot = slot_of(wheel, timer->due_ms);
    struct slot *slot = &wheel->slots[timer->slot];
    timer->next = NO_TIMER;
    timer->prev = slot->last;
    if (slot->last == NO_TIMER)
        slot->first = index;
    else
        wheel->timers[slot->last].next = index;
    slot->last = index;
    wheel->used[timer->slot / DIGITS] |= UINT64_C(1) << timer->slot % DIGITS;
}

void wheel_clear(struct wheel *wheel, uint32_t timer)
{
    assert(timer < wheel->timers_max);
    struct timer *set = &wheel->timers[timer];
    if (set->slot == NOT_SET)
        return;
    struct slot *slot = &wheel->slots[set->slot];
    if (set->prev == NO_TIMER)
        slot->first = set->next;
    else
        wheel->timers[set->prev].next = set->next;
    if (set->next == NO_TIMER)
        slot->last = set->prev;
    else
        wheel->timers[set->next].prev = set->prev;
    if (slot->first == NO_TIMER)
        wheel->used[set->slot / DIGITS] &= ~(UINT64_C(1) << set->slot % DIGITS);
    set->slot = NOT_SET;
    wheel->count--;
}

void wheel_set(struct wheel *wheel, uint32_t timer, uint64_t due_ms)
{
    wheel_clear(wheel, timer);
    wheel->timers[timer].due_ms = due_ms;
    wheel->count++;
    put(wheel, timer);
}

bool wheel_is_set(const struct wheel *wheel, uint32_t timer)
{
    assert(timer < wheel->timers_max);
    return wheel->timers[timer].slot != NOT_SET;
}

uint64_t wheel_due(const struct wheel *wheel, uint32_t timer)
{
    assert(wheel_is_set(wheel, timer));
    return wheel->timers[timer].due_ms;
}

uint32_t wheel_count(const struct wheel *wheel)
{
    return wheel->count;
}

/* The lowest level that holds timers holds the earliest: those above differ from the present in a
 * higher digit. Its first slot begins at the time returned; LEVELS: no timer is set. */
static uint32_t first_slot(const struct wheel *wheel, uint32_t *digit, uint64_t *begins_ms)
{
    uint32_t level = 0;
    while (level < LEVELS && wheel->used[level] == 0)
        level++;
    if (level == LEVELS)
        return LEVELS;
    uint32_t shift = level * DIGIT_BITS;
    *digit = (uint32_t) __builtin_ctzll(wheel->used[level]);
    uint64_t above = shift + DIGIT_BITS >= 64 ? 0 : wheel->now_ms >> (shift + DIGIT_BITS);
    *begins_ms = (uint64_t) *digit << shift;
    if (above != 0)
        *begins_ms |= above << (shift + DIGIT_BITS);
    return level;
}

/* Deals the timers of a slot that the present has reached out to the levels below. */
static void deal(struct wheel *wheel, uint32_t level, uint32_t digit)
{
    struct slot *slot = &wheel->slots[level * DIGITS + digit];
    uint32_t     timer = slot->first;
    *slot = (struct slot){ .first = NO_TIMER, .last = NO_TIMER };
    wheel->used[level] &= ~(UINT64_C(1) << digit);
    while (timer != NO_TIMER) {
        uint32_t next = wheel->timers[timer].next;
        put(wheel, timer);
        timer = next;
    }
}

uint32_t wheel_next(struct wheel *wheel, uint64_t now_ms)
{
    uint32_t digit = 0;
    uint64_t begins_ms = 0;
    if (now_ms < wheel->now_ms)
        now_ms = wheel->now_ms;
    for (;;) {
        uint32_t level = first_slot(wheel, &digit, &begins_ms);
        if (level == LEVELS || begins_ms > now_ms)
            break;
        assert(begins_ms >= wheel->now_ms);
        wheel->now_ms = begins_ms;
        if (level == 0) {
            uint32_t timer = wheel->slots[digit].first;
            wheel_clear(wheel, timer);
            return timer;
        }
        deal(wheel, level, digit);
    }
    /* No slot begins between the present and now, so every timer keeps its place. */
    wheel->now_ms = now_ms;
    return NO_TIMER;
}

uint64_t wheel_wake(const struct wheel *wheel)
{
    uint32_t digit = 0;
    uint64_t begins_ms = UINT64_MAX;
    return first_slot(wheel, &digit, &begins_ms) == LEVELS ? UINT64_MAX : begins_ms;
}
