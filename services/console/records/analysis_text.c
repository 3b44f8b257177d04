/* analysis_text.c: an analysis for people: what was not fine, a picture for each seat, and sums. */
#include <inttypes.h>

#include "services/console/command/terminal.h"
#include "services/console/faces/phrase.h"
#include "services/console/records/analysis.h"

/* Chance that moved a result by less is no line of its own. */
#define WORTH_SAYING 100000
#define BLOCKS 8

static double whole(int64_t millionths)
{
    return (double) millionths / WEIGH_WON;
}

static void put_number(const struct analysis *analysis, const struct show *show)
{
    char number[24];
    snprintf(number, sizeof number, "%5" PRIu64 "  ", analysis->replay->number);
    terminal_put_in(show->lines.out, show->coloured, COLOUR_DIM, number);
}

static enum colour colour_of(enum weigh_kind kind)
{
    return kind == WEIGH_IS_BLUNDER ? COLOUR_RED : COLOUR_YELLOW;
}

void analysis_say_decision(const struct analysis *analysis, const struct show *show,
                           const struct command *given, const struct weighing *weighing)
{
    enum weigh_kind kind = weigh_kind(weighing);
    if (kind == WEIGH_FINE)
        return;
    put_number(analysis, show);
    show_seat(show, analysis->replay->act.actor);
    fputs(": ", show->lines.out);
    show_command(show, given);
    fputs("\n         ", show->lines.out);
    terminal_put_in(show->lines.out, show->coloured, colour_of(kind), analysis_called(kind));
    fprintf(show->lines.out, ": %.2f instead of %.2f; better: ", whole(weighing->given.worth),
            whole(weighing->value.worth));
    show_command(show, &weighing->best);
    fputc('\n', show->lines.out);
}

void analysis_say_chance(const struct analysis *analysis, const struct show *show, uint32_t seat,
                         const struct analyst_chance *chance)
{
    int32_t luck = chance->after.worth - chance->before.worth;
    if (luck < WORTH_SAYING && luck > -WORTH_SAYING)
        return;
    put_number(analysis, show);
    fprintf(show->lines.out, "chance %s ", luck > 0 ? "gave" : "took from");
    show_seat(show, seat);
    fprintf(show->lines.out, " %.2f\n", luck > 0 ? whole(luck) : -whole(luck));
}

/* The block of a worth; a digit where there are no blocks. */
static const char *block_of(int32_t worth, bool is_ascii)
{
    static const char *const blocks[BLOCKS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    static const char *const digits[BLOCKS] = { "0", "1", "2", "3", "4", "5", "6", "7" };
    int32_t                  height = worth / (WEIGH_WON / BLOCKS);
    height = height < 0 ? 0 : height >= BLOCKS ? BLOCKS - 1 : height;
    return is_ascii ? digits[height] : blocks[height];
}

/* Where nothing is new, it stands as before. */
static void put_picture(const struct show *show, const struct analysis_seat *seat, bool is_ascii)
{
    int32_t worth = ANALYSIS_UNKNOWN;
    for (uint32_t i = 0; i < ANALYSIS_COLUMNS; i++) {
        if (seat->picture[i] != ANALYSIS_UNKNOWN)
            worth = seat->picture[i];
        if (worth == ANALYSIS_UNKNOWN) {
            fputc(' ', show->lines.out);
            continue;
        }
        enum colour colour = worth > 600000   ? COLOUR_GREEN
                             : worth < 400000 ? COLOUR_RED
                                              : COLOUR_NONE;
        terminal_put_in(show->lines.out, show->coloured, colour, block_of(worth, is_ascii));
    }
}

static void put_sums(const struct show *show, const struct analysis_seat *seat)
{
    FILE  *out = show->lines.out;
    double mean = seat->decisions > 0 ? whole(seat->loss) / seat->decisions : 0;
    fprintf(out,
            "         %" PRIu32 " decisions, mean loss %.3f: %" PRIu32 " blunders, %" PRIu32
            " mistakes, %" PRIu32 " inaccuracies\n",
            seat->decisions, mean, seat->kinds[WEIGH_IS_BLUNDER], seat->kinds[WEIGH_IS_MISTAKE],
            seat->kinds[WEIGH_IS_INACCURACY]);
    if (seat->chances > 0)
        fprintf(out, "         luck %+.2f (give or take %.2f), in %" PRIu32 " acts\n",
                whole(seat->luck), whole(analysis_luck_error(seat)), seat->chances);
    if (seat->unjudged > 0)
        fprintf(out, "         %" PRIu32 " commands cannot be judged: no list has them\n",
                seat->unjudged);
}

static void put_turns(const struct analysis *analysis, const struct show *show)
{
    for (uint32_t i = 0; i < ANALYSIS_TURNS && analysis->turn[i].act > 0; i++) {
        const struct analysis_turn *turn = &analysis->turn[i];
        fputs(i == 0 ? "the match turned at act " : "                and act ", show->lines.out);
        fprintf(show->lines.out, "%" PRIu64 ": ", turn->act);
        show_seat(show, turn->seat);
        fprintf(show->lines.out, " %+.2f, by %s\n", whole(turn->change),
                turn->by_chance ? "chance" : "choice");
    }
}

void analysis_say_all(const struct analysis *analysis, const struct show *show)
{
    bool is_ascii = !phrase_knows_unicode();
    for (uint32_t seat = 0; seat < analysis->replay->seats; seat++) {
        fputs(is_ascii ? "  |" : "  ▏", show->lines.out);
        put_picture(show, &analysis->seat[seat], is_ascii);
        fputs(is_ascii ? "|  " : "▕  ", show->lines.out);
        show_seat(show, seat);
        fputc('\n', show->lines.out);
        put_sums(show, &analysis->seat[seat]);
    }
    put_turns(analysis, show);
}
