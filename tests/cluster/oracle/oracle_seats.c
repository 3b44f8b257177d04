/* oracle_seats.c: I12: a player is in at most one seat, whatever the lobby has kept; see oracle.h. */
#include <string.h>

#include "contract/lobby.pb-c.h"
#include "oracle.h"
#include "services/lobby/lobby_names.h"

#define NOBODY 0xffffffffu

static int64_t number_of(const struct vault *vault, uint32_t table, const struct row *row,
                         const char *column)
{
    return row->cells[vault_column_named(vault, table, column)].number;
}

bool oracle_plays_on(const struct vault *vault)
{
    uint32_t                  index = vault_table_named(vault, "tables");
    const struct vault_table *tables = &vault->table[index];
    for (uint32_t i = 0; i < tables->count; i++)
        if (number_of(vault, index, tables->rows[i]->row, "phase") == PHASE(PLAYING))
            return true;
    return false;
}

/* Tables at which people sit or play; at those that are over nobody sits any more. */
static bool is_open(const struct vault *vault, int64_t place)
{
    uint32_t                  index = vault_table_named(vault, "tables");
    const struct vault_table *tables = &vault->table[index];
    for (uint32_t i = 0; i < tables->count; i++) {
        const struct row *row = tables->rows[i]->row;
        int64_t           phase = number_of(vault, index, row, "phase");
        if (number_of(vault, index, row, "place") == place)
            return phase == PHASE(OPEN) || phase == PHASE(PLAYING);
    }
    return false;
}

void oracle_seats(struct world *world, const struct vault *vault)
{
    uint8_t                   sits[256] = { 0 };
    uint32_t                  index = vault_table_named(vault, "seats");
    const struct vault_table *seats = &vault->table[index];
    for (uint32_t i = 0; i < seats->count; i++) {
        const struct row *row = seats->rows[i]->row;
        int64_t           player = number_of(vault, index, row, "player");
        if (player == NOBODY || player < 0 || player >= (int64_t) sizeof sits ||
            number_of(vault, index, row, "vacant") != 0 ||
            !is_open(vault, number_of(vault, index, row, "table_place")))
            continue;
        if (++sits[player] > 1)
            world_fail(world, "I12", "player %lld sits in two seats", (long long) player);
    }
}
