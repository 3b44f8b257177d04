/* schemas_test.c: stores that are written today are opened by the builds of later: what a schema says of them stays. */
#include "schema/schemas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "games/registry.h"
#include "schema/journal.h"

/* As stores have them. A key's columns bear a star; n: number, b: bytes, t: text. A change that
 * adds a table or a column raises the version, and adds it here; nothing is ever taken away. */
static const char journal[] =
    "journal 6 for 6 fences 0\n"
    "  slots since 1: *slot:n epoch:n recorded:n\n"
    "  matches since 1: *slot:n *match_id:b state:n game:t rules_version:n setup:b "
    "seats:n dice:t seed:n commitment:b dice_secret:b sealing_secret:b turn_ms:n "
    "table_id:b spectators:n code:b created_ms:n opening:b recorded:n protocol:n contributors:b "
    "given_up:n\n"
    "  live since 1: *slot:n *match_id:b state:n game:t rules_version:n setup:b "
    "seats:n dice:t seed:n commitment:b dice_secret:b sealing_secret:b turn_ms:n "
    "table_id:b spectators:n code:b created_ms:n opening:b recorded:n protocol:n contributors:b "
    "given_up:n\n"
    "  setups since 1: *hash:b setup:t options:t\n"
    "  seats since 1: *match_id:b *seat:n *generation:n since:n bot:n player:b "
    "holder:b name:t person:t number:n\n"
    "  acts since 1: *match_id:b *number:n epoch:n slot_count:n actor:n session:n "
    "request:n at_ms:n chain_before:b chain:b command_hash:b command:b body:b\n"
    "  sessions since 1: *slot:n *match_id:b *seat:n *session:n closed:n holder:b "
    "player:b request:n verdict:n number:n chain:b asks:b\n"
    "  snapshots since 1: *slot:n *match_id:b number:n snapshot:b\n"
    "  results since 1: *match_id:b slot:n acts:n chain:b aborted:n outcome:b "
    "digest:b over_ms:n\n";

static const char lobby[] =
    "lobby 7 for 5 fences -1\n"
    "  meta since 1: *id:n starts:n tables:n results:n bots:n persons:n "
    "persons_secret:b audits:n stop_ms:n told:n notice:t\n"
    "  keys since 1: *place:n key:b role:n name:t admitted:n player:n request:n "
    "verdict:n detail:n game:n answer:n answer_id:b answer_number:n ask_digest:n "
    "drained_ms:n helper:n\n"
    "  players since 1: *place:n id:b name:t bot:n guest:n banned:n until_ms:n "
    "reason:t key:n request:n verdict:n detail:n game:n answer:n answer_id:b "
    "answer_number:n ask_digest:n number:n seen_ms:n results_before:n muted:n "
    "muted_until_ms:n mute_reason:t avatar:t\n"
    "  tables since 1: *place:n id:b serial:n phase:n game:t setup:t title:t text:n "
    "seat_count:n seats_min:n host:n options:n turn_ms:n seed:n code:t last_event:n "
    "stage:n match_id:b seats:n abort:n result:n invited:b abort_reason:t "
    "patience_ms:n\n"
    "  texts since 1: *table_place:n setup:t options:t\n"
    "  desks since 1: *table_place:n state:b\n"
    "  seats since 1: *table_place:n *seat:n player:n generation:n vacant:n "
    "changing:n promised:n policy:n number:n\n"
    "  members since 1: *table_place:n *member:n player:n muted:n rematch:n mutes:n "
    "since:n\n"
    "  votes since 1: *table_place:n *seat:n *voter:n choice:n friend_player:n\n"
    "  events since 1: *table_place:n *place:n number:n kind:n audience:n seat:n "
    "source:n player:n other:n choice:n with_setup:n figure:n serial:n text:b\n"
    "  results since 1: *number:n match_id:b game:t setup:t aborted:n over_ms:n "
    "players:b outcome:b chance:n\n"
    "  persons since 3: *place:n number:n player:n game:t person:t\n"
    "  audit since 6: *number:n at_ms:n deed:n undone:n verdict:n helper:n key:b name:t token:t "
    "target:b until_ms:n text:t reason:t\n";

static const char leases[] = "leases 1 for 1 fences 0\n"
                             "  leases since 1: *slot:n epoch:n engine:t renewed:n until_ms:n\n";

static const char gateway[] =
    "gateway 1 for 1 fences -1\n"
    "  meta since 1: *place:n next_id:n\n"
    "  ids since 1: *id:n is:n player:b table_id:b match_id:b seat:n knows:b half:b "
    "map:b person:b\n";

static const char of_games[] =
    "  game since 2: *gameid:n beginning:t ending:t roundnumber:n map:t mapwidth:n "
    "mapheight:n layout:t firsthalf:n dicekind:t dicesecret:t countdown:t "
    "maxactions:n result:t reason:t configjson:t\n"
    "  player since 2: *playerid:n surname:t firstname:t matriculationnumber:t "
    "startingcoordinates:t\n"
    "  play since 2: *gameid:n *playerid1:n *playerid2:n startingcoordinates1:t "
    "startingcoordinates2:t\n"
    "  actionlist since 2: *gameid:n *actionid:n action:t targetx:n targety:n "
    "turnsleft:n thinkms:n violation:t\n";

static char   said[8192];
static size_t size;

static void say_table(const struct row_table *table)
{
    size += (size_t) snprintf(said + size, sizeof said - size, "  %s since %u:", table->name,
                              table->since);
    for (uint32_t i = 0; i < table->column_count; i++)
        size += (size_t) snprintf(said + size, sizeof said - size, " %s%s:%c",
                                  i < table->key_count ? "*" : "", table->columns[i].name,
                                  "?nbt"[table->columns[i].kind]);
    size += (size_t) snprintf(said + size, sizeof said - size, "\n");
    assert_true(size < sizeof said);
}

static const char *say(const struct schema *schema)
{
    size = (size_t) snprintf(said, sizeof said, "%s %u for %u fences %d\n", schema->name,
                             schema->version, schema_oldest(schema), (int) schema->fences);
    for (uint32_t i = 0; i < schema->table_count; i++)
        say_table(&schema->tables[i]);
    return said;
}

static void stores_of_before_have_these_tables(void **unused)
{
    (void) unused;
    assert_string_equal(say(schema_find("journal")), journal);
    assert_string_equal(say(schema_find("lobby")), lobby);
    assert_string_equal(say(schema_find("leases")), leases);
    assert_string_equal(say(schema_find("gateway")), gateway);
    assert_null(schema_find("journals"));
    assert_null(schema_find(""));
}

static void a_database_has_all_but_the_gateways(void **unused)
{
    (void) unused;
    assert_string_equal(schemas_shared[0]->name, "lobby");
    assert_string_equal(schemas_shared[1]->name, "journal");
    assert_string_equal(schemas_shared[2]->name, "leases");
}

static void tables_of_games_stand_behind_the_journals(void **unused)
{
    (void) unused;
    static struct journal_schema all, none;
    journal_schema_init(&none, NULL);
    assert_string_equal(say(&none.schema), journal);
    journal_schema_init(&all, registry_games());
    (void) say(&all.schema);
    assert_memory_equal(said, journal, strlen(journal));
    assert_string_equal(said + strlen(journal), of_games);
}

/* Versions of one game have the same tables. */
static void tables_of_a_game_are_there_once(void **unused)
{
    (void) unused;
    static struct journal_schema all;
    uint32_t                     with_tables = 0;
    journal_schema_init(&all, registry_games());
    uint32_t count = all.schema.table_count;
    for (const struct game_wire *const *game = registry_games(); *game != NULL; game++) {
        const struct game_record *record = (*game)->game->record;
        if (record == NULL)
            continue;
        uint32_t first = journal_schema_add(&all, record);
        assert_string_equal(all.schema.tables[first].name, record->tables[0].name);
        with_tables++;
    }
    assert_true(with_tables > 0);
    assert_int_equal(all.schema.table_count, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_of_before_have_these_tables),
        cmocka_unit_test(a_database_has_all_but_the_gateways),
        cmocka_unit_test(tables_of_games_stand_behind_the_journals),
        cmocka_unit_test(tables_of_a_game_are_there_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
