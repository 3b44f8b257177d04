/* lobby_sources.c: no source takes all the room there is. Pure.
 *
 * A source is an address that a gateway named, hashed, or a native key. Three things bound it: how much it takes in a
 * minute, how much it holds at once, and, when room runs short, how much others hold. The last places are for those who
 * have least, and whoever has most makes room. All this is remembered in memory alone: a lobby that starts anew knows
 * no source until it speaks. */
#include <string.h>

#include "base/text.h"
#include "services/lobby/lobby_parts.h"

#define MINUTE_MS 60000u
#define PIECE 1000u /* Spending is counted in thousandths. */
#define KEY_KIND 77u
/* So much of the room is kept for those who have least. */
#define RESERVE 32u
#define TABLES_AT_ONCE 4u

static const char *const sentences[TAKEN_KINDS] = {
    [TAKEN_NAME] = "Too many players come from your address: try again in a minute.",
    [TAKEN_TABLE] = "Too many tables are open from your address: try again in a minute.",
    [TAKEN_SEAT] = "Too many seats are taken from your address: try again in a minute.",
};

static const struct {
    enum bound at_once, per_minute;
} bound_of[TAKEN_KINDS] = {
    [TAKEN_NAME] = { BOUND_NAMES_OF_ONE, BOUND_NAMES_A_MINUTE },
    [TAKEN_TABLE] = { BOUND_TABLES_OF_ONE, BOUND_TABLES_A_MINUTE },
    [TAKEN_SEAT] = { BOUND_SEATS_OF_ONE, BOUND_SEATS_A_MINUTE },
};

void lobby_source_speaks(struct lobby *lobby, struct asking *asking)
{
    const struct event *event = asking->event;
    bool                is_own = !asking->ask->has_player && event->caller.role == ROLE(CLIENT);
    struct source      *source = &asking->source;
    if (asking->ask->has_player && asking->player != NOBODY)
        *source = lobby->sources[asking->player];
    if (event->caller.role == ROLE(GATEWAY) && asking->ask->has_from)
        *source =
            (struct source){ asking->ask->from, asking->ask->has_crowd && asking->ask->crowd };
    if (is_own)
        *source = (struct source){
            lobby_index_hash(&lobby->index, KEY_KIND, event->caller.key, CALLER_KEY_SIZE), true
        };
    if (asking->player != NOBODY)
        lobby->sources[asking->player] = *source;
}

static bool is_from(const struct lobby *lobby, uint32_t player, uint64_t from)
{
    return player != NOBODY && lobby->sources[player].from == from;
}

static bool is_guest(const struct lobby *lobby, uint32_t place)
{
    const struct player *player = player_of(lobby, place);
    return player->used && player->guest && !player->bot;
}

static uint32_t names_of(const struct lobby *lobby, uint64_t from)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lobby->settings.players_max; i++)
        count += lobby->sources[i].from == from && is_guest(lobby, i);
    return count;
}

static uint32_t tables_of(const struct lobby *lobby, uint64_t from)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++)
        count += table_of(lobby, i)->used && is_from(lobby, table_of(lobby, i)->host, from);
    return count;
}

static uint32_t seats_of(const struct lobby *lobby, uint64_t from)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++) {
        const struct table *table = table_of(lobby, i);
        for (uint32_t k = 0; k < table->seat_count && table->used; k++)
            count += table->phase != PHASE(OVER) && is_from(lobby, table->seat[k].player, from);
    }
    return count;
}

/* A source's spending, as of now. Who has spent nothing for longest is forgotten for a new one. */
static struct spending *spending_of(struct lobby *lobby, uint64_t from)
{
    struct spending *set =
        &lobby->spendings[from % (SPENDINGS_MAX / SPENDINGS_WAYS) * SPENDINGS_WAYS];
    struct spending *oldest = set;
    for (uint32_t i = 0; i < SPENDINGS_WAYS; i++) {
        if (set[i].from == from)
            return &set[i];
        if (set[i].at_ms < oldest->at_ms)
            oldest = &set[i];
    }
    *oldest = (struct spending){ .from = from, .at_ms = lobby->now_ms };
    return oldest;
}

/* How many a source may have at once, and in a minute; 0: any number. */
struct allowance {
    uint64_t at_once, per_minute;
};

static struct allowance allowance_of(const struct lobby *lobby, const struct source *source,
                                     enum taken kind)
{
    const struct lobby_settings *settings = &lobby->settings;
    uint64_t                     times = source->is_crowd ? settings->crowd_times : 1;
    struct allowance             bounds[TAKEN_KINDS] = {
                    [TAKEN_NAME] = { settings->names_per_address, settings->names_per_minute },
                    [TAKEN_TABLE] = { settings->tables_per_address, settings->tables_per_minute },
                    [TAKEN_SEAT] = { settings->seats_per_address, settings->seats_per_minute },
    };
    return (struct allowance){ bounds[kind].at_once * times, bounds[kind].per_minute * times };
}

static bool may_spend(struct lobby *lobby, const struct source *source, enum taken kind,
                      uint64_t per_minute)
{
    struct spending *spending = spending_of(lobby, source->from);
    uint64_t         since = lobby->now_ms > spending->at_ms ? lobby->now_ms - spending->at_ms : 0;
    for (uint32_t i = 0; i < TAKEN_KINDS && since > 0; i++) {
        uint64_t back = since * allowance_of(lobby, source, i).per_minute * PIECE / MINUTE_MS;
        spending->spent[i] -= spending->spent[i] < back ? spending->spent[i] : back;
    }
    spending->at_ms = lobby->now_ms;
    if (spending->spent[kind] + PIECE > per_minute * PIECE)
        return false;
    spending->spent[kind] += PIECE;
    return true;
}

bool lobby_source_may(struct lobby *lobby, struct asking *asking, enum taken kind)
{
    static uint32_t (*const held[TAKEN_KINDS])(const struct lobby *, uint64_t) = {
        [TAKEN_NAME] = names_of, [TAKEN_TABLE] = tables_of, [TAKEN_SEAT] = seats_of
    };
    const struct source *source = &asking->source;
    struct allowance     bound = allowance_of(lobby, source, kind);
    if (source->from == 0)
        return true;
    bool has_room = bound.at_once == 0 || held[kind](lobby, source->from) < bound.at_once;
    if (has_room && (bound.per_minute == 0 || may_spend(lobby, source, kind, bound.per_minute)))
        return true;
    outbox_full(asking->out, has_room ? bound_of[kind].per_minute : bound_of[kind].at_once);
    lobby_refuse(asking, VERDICT(LOBBY_FULL));
    asking->sentence = sentences[kind];
    return false;
}

static struct tally *tally_at(const struct lobby *lobby, uint64_t from)
{
    uint32_t at = (uint32_t) from & (lobby->tallies_size - 1);
    while (lobby->tallies[at].from != 0 && lobby->tallies[at].from != from)
        at = (at + 1) & (lobby->tallies_size - 1);
    return &lobby->tallies[at];
}

static uint32_t count_of(const struct lobby *lobby, uint64_t from)
{
    return from == 0 ? 0 : tally_at(lobby, from)->count;
}

static void clear_tallies(const struct lobby *lobby)
{
    memset(lobby->tallies, 0, lobby->tallies_size * sizeof *lobby->tallies);
}

static void begin_tally(struct lobby *lobby)
{
    clear_tallies(lobby);
    lobby->most = 0;
}

/* How many it has then. */
static uint32_t tally_one(const struct lobby *lobby, uint64_t from)
{
    struct tally *tally = tally_at(lobby, from);
    if (from == 0)
        return 0;
    tally->from = from;
    return ++tally->count;
}

static void count_one(struct lobby *lobby, uint64_t from)
{
    uint32_t count = tally_one(lobby, from);
    lobby->most = count > lobby->most ? count : lobby->most;
}

/* The same for a player's source, if it is no crowd. */
static void count_player(const struct lobby *lobby, uint32_t player, uint64_t *most)
{
    uint32_t count = player == NOBODY || lobby->sources[player].is_crowd
                         ? 0
                         : tally_one(lobby, lobby->sources[player].from);
    *most = count > *most ? count : *most;
}

static void count_seats(const struct lobby *lobby, const struct table *table, uint64_t *most)
{
    for (uint32_t k = 0; k < table->seat_count && table->used && table->phase != PHASE(OVER); k++)
        count_player(lobby, table->seat[k].player, most);
}

void lobby_source_bounds(const struct lobby *lobby, struct fullness *bounds)
{
    const struct lobby_settings *settings = &lobby->settings;
    uint64_t                     most[TAKEN_KINDS] = { 0 };
    clear_tallies(lobby);
    for (uint32_t i = 0; i < settings->players_max; i++)
        if (is_guest(lobby, i))
            count_player(lobby, i, &most[TAKEN_NAME]);
    clear_tallies(lobby);
    for (uint32_t i = 0; i < settings->tables_max; i++)
        if (table_of(lobby, i)->used)
            count_player(lobby, table_of(lobby, i)->host, &most[TAKEN_TABLE]);
    clear_tallies(lobby);
    for (uint32_t i = 0; i < settings->tables_max; i++)
        count_seats(lobby, table_of(lobby, i), &most[TAKEN_SEAT]);
    for (uint32_t i = 0; i < TAKEN_KINDS; i++) {
        struct allowance bound = allowance_of(lobby, &(struct source){ .from = 0 }, i);
        bounds->of[bound_of[i].at_once] = (struct bound_use){ most[i], bound.at_once, 0 };
    }
}

static uint32_t tally_names(struct lobby *lobby)
{
    uint32_t left = lobby->settings.players_max;
    begin_tally(lobby);
    for (uint32_t i = 0; i < lobby->settings.players_max; i++) {
        left -= player_of(lobby, i)->used != 0;
        if (is_guest(lobby, i))
            count_one(lobby, lobby->sources[i].from);
    }
    return left;
}

void lobby_tally_tables(struct lobby *lobby)
{
    begin_tally(lobby);
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++)
        if (table_of(lobby, i)->used && table_of(lobby, i)->host != NOBODY)
            count_one(lobby, lobby->sources[table_of(lobby, i)->host].from);
}

/* Half of what the greediest has, and more than the asker has, or will have: from there room is taken. */
static uint32_t greedy_above(const struct lobby *lobby, uint64_t from)
{
    uint32_t own = count_of(lobby, from) + 1, half = lobby->most / 2;
    return own > half ? own : half;
}

bool lobby_is_greedy(const struct lobby *lobby, uint32_t table)
{
    uint32_t host = table_of(lobby, table)->host;
    return host != NOBODY && count_of(lobby, lobby->sources[host].from) > greedy_above(lobby, 0);
}

/* The last places are not for who has most already. */
static bool may_have_last(const struct lobby *lobby, const struct source *source)
{
    uint32_t own = count_of(lobby, source->from);
    return source->from == 0 || source->is_crowd || own < 2 || own < lobby->most;
}

uint32_t lobby_names_from(const struct lobby *lobby, uint32_t player)
{
    return count_of(lobby, lobby->sources[player].from);
}

/* Of those who have so many, the table at which nothing has happened for longest; NOBODY: all are played at. */
static uint32_t greedy_table(const struct lobby *lobby, uint32_t above)
{
    uint32_t found = NOBODY;
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++) {
        const struct table *table = table_of(lobby, i);
        if (table->used && table->phase != PHASE(PLAYING) && table->host != NOBODY &&
            count_of(lobby, lobby->sources[table->host].from) > above &&
            (found == NOBODY || lobby->clocks[i].happened_ms < lobby->clocks[found].happened_ms))
            found = i;
    }
    return found;
}

/* Tables of who has more than the asker. */
static void close_greedy(struct lobby *lobby, const struct asking *asking)
{
    uint32_t above = greedy_above(lobby, asking->source.from);
    for (uint32_t i = 0; i < TABLES_AT_ONCE; i++) {
        uint32_t place = greedy_table(lobby, above);
        if (place == NOBODY)
            break;
        tally_at(lobby, lobby->sources[table_of(lobby, place)->host].from)->count--;
        lobby_close_table(lobby, place, "Others needed room, and you had most tables.",
                          asking->out);
    }
}

bool lobby_names_make_way(struct lobby *lobby, struct asking *asking)
{
    uint32_t left = tally_names(lobby), reserve = lobby->settings.players_max / RESERVE;
    if (left > reserve)
        return true;
    if (!may_have_last(lobby, &asking->source))
        return false;
    if (lobby_guests_of_greedy_go(lobby, greedy_above(lobby, asking->source.from), asking->out))
        return true;
    lobby_tally_tables(lobby); /* All of them sit somewhere: there they are in the way. */
    close_greedy(lobby, asking);
    return true;
}

bool lobby_tables_make_way(struct lobby *lobby, struct asking *asking)
{
    uint32_t left = lobby->settings.tables_max, reserve = lobby->settings.tables_max / RESERVE;
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++)
        left -= table_of(lobby, i)->used != 0;
    if (left > reserve)
        return true;
    lobby_tally_tables(lobby);
    if (!may_have_last(lobby, &asking->source))
        return false;
    close_greedy(lobby, asking);
    return true;
}
