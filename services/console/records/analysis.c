/* analysis.c: adds up what was found at each act of a match. */
#include "services/console/records/analysis.h"

#include <math.h>
#include <stdlib.h>

const char *analysis_called(enum weigh_kind kind)
{
    static const char *const called[WEIGH_KINDS] = { "", "inaccuracy", "mistake", "blunder" };
    return called[kind];
}

/* The picture at the present act. */
static void draw(struct analysis *analysis, uint32_t seat, int32_t worth)
{
    uint64_t acts = analysis->replay->end.acts, number = analysis->replay->number;
    uint64_t column = acts > 0 && number > 0 ? (number - 1) * ANALYSIS_COLUMNS / acts : 0;
    if (column >= ANALYSIS_COLUMNS)
        column = ANALYSIS_COLUMNS - 1;
    analysis->seat[seat].picture[column] = worth;
}

/* Keeps a change if it is one of the greatest. */
static void turn(struct analysis *analysis, uint32_t seat, bool by_chance, int32_t change)
{
    struct analysis_turn found = { analysis->replay->number, seat, by_chance, change };
    for (uint32_t i = 0; i < ANALYSIS_TURNS; i++) {
        struct analysis_turn *kept = &analysis->turn[i];
        if (abs(found.change) <= abs(kept->change))
            continue;
        struct analysis_turn less = *kept;
        *kept = found;
        found = less;
    }
}

void analysis_decided(struct analysis *analysis, uint32_t seat, enum analyst_said said,
                      const struct weighing *weighing)
{
    struct analysis_seat *of = &analysis->seat[seat];
    of->forced += said == ANALYST_FORCED;
    of->unjudged += said == ANALYST_CANNOT;
    if (said != ANALYST_JUDGED)
        return;
    of->decisions++;
    of->kinds[weigh_kind(weighing)]++;
    of->loss += weighing->loss.worth;
    draw(analysis, seat, weighing->given.worth);
    if (weigh_kind(weighing) != WEIGH_FINE)
        turn(analysis, seat, false, -weighing->loss.worth);
}

void analysis_chanced(struct analysis *analysis, uint32_t seat, const struct analyst_chance *chance)
{
    struct analysis_seat *of = &analysis->seat[seat];
    int32_t               luck = chance->after.worth - chance->before.worth;
    uint64_t before = (uint64_t) chance->before.error, after = (uint64_t) chance->after.error;
    of->chances++;
    of->luck += luck;
    of->luck_squares += before * before + after * after;
    draw(analysis, seat, chance->after.worth);
    turn(analysis, seat, true, luck);
}

void analysis_ended(struct analysis *analysis)
{
    const struct replay *replay = analysis->replay;
    int32_t              outcome[SEATS_MAX] = { 0 };
    analysis->is_complete = true;
    if (!replay->end.finished)
        return;
    match_outcome(replay->match, outcome);
    for (uint32_t seat = 0; seat < replay->seats; seat++)
        draw(analysis, seat, analyst_result(outcome[seat]));
}

int64_t analysis_luck_error(const struct analysis_seat *seat)
{
    return (int64_t) sqrt((double) seat->luck_squares);
}
