/* lobby_find.c: records by their ids and names; new ids. Pure. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "services/lobby/lobby_parts.h"
#include "wire/utf8.h"

enum name_kind {
    NAME_OF_KEY,
    NAME_OF_PLAYER,
    ID_OF_PLAYER,
    ID_OF_TABLE,
    CODE_OF_TABLE,
    MATCH_OF_TABLE
};

bool lobby_same_id(const uint8_t *one, const uint8_t *other)
{
    return memcmp(one, other, ID_SIZE) == 0;
}

char *lobby_string_in(struct outbox *out, const char *string)
{
    return (char *) outbox_copy(out, string, text_length(string) + 1);
}

/* 64 fresh bytes come with each event; the ids made of them in one step differ by their last byte. */
void lobby_draw_id(struct lobby *lobby, uint8_t id[ID_SIZE])
{
    uint32_t drawn = lobby->drawn++;
    memcpy(id, lobby->entropy + drawn % (ENTROPY_SIZE / ID_SIZE) * ID_SIZE, ID_SIZE);
    id[ID_SIZE - 1] = (uint8_t) (id[ID_SIZE - 1] + drawn / (ENTROPY_SIZE / ID_SIZE));
}

/* "Ann" and "ann" are one name, so that nobody passes for somebody else; so are two names that differ only by what is
 * not seen, for a name may be older than a rule that refuses it. */
static size_t fold(char low[LOBBY_NAME_MAX + 1], const char *name)
{
    size_t size = text_length(name);
    assert(size <= LOBBY_NAME_MAX);
    size = utf8_seen((uint8_t *) low, (const uint8_t *) name, size);
    for (size_t i = 0; i < size; i++)
        if (low[i] >= 'A' && low[i] <= 'Z')
            low[i] = (char) (low[i] - 'A' + 'a');
    return size;
}

static uint64_t name_hash(const struct lobby *lobby, const char *name)
{
    char   low[LOBBY_NAME_MAX + 1];
    size_t size = fold(low, name);
    return lobby_index_hash(&lobby->index, NAME_OF_PLAYER, low, size);
}

static bool same_name(const char *one, const char *other)
{
    char   low[LOBBY_NAME_MAX + 1], others[LOBBY_NAME_MAX + 1];
    size_t size = fold(low, one);
    return size == fold(others, other) && memcmp(low, others, size) == 0;
}

static uint64_t code_hash(const struct lobby *lobby, const char *code)
{
    return lobby_index_hash(&lobby->index, CODE_OF_TABLE, code, CODE_SIZE);
}

uint32_t lobby_find_key(const struct lobby *lobby, const uint8_t key[CALLER_KEY_SIZE])
{
    uint32_t cursor = 0, place;
    uint64_t hash = lobby_index_hash(&lobby->index, NAME_OF_KEY, key, CALLER_KEY_SIZE);
    while ((place = lobby_index_next(&lobby->index, hash, &cursor)) != NOBODY)
        if (key_of(lobby, place)->used &&
            memcmp(key_of(lobby, place)->key, key, CALLER_KEY_SIZE) == 0)
            return place;
    return NOBODY;
}

uint32_t lobby_find_player(const struct lobby *lobby, const uint8_t *id, size_t size)
{
    uint32_t cursor = 0, place;
    if (size != ID_SIZE)
        return NOBODY;
    uint64_t hash = lobby_index_hash(&lobby->index, ID_OF_PLAYER, id, ID_SIZE);
    while ((place = lobby_index_next(&lobby->index, hash, &cursor)) != NOBODY)
        if (player_of(lobby, place)->used && lobby_same_id(player_of(lobby, place)->id, id))
            return place;
    return NOBODY;
}

/* Of two that look alike, whose name it is to the letter. */
uint32_t lobby_find_name(const struct lobby *lobby, const char *name)
{
    uint32_t cursor = 0, place, alike = NOBODY;
    if (name == NULL || name[0] == '\0' || text_length(name) > LOBBY_NAME_MAX)
        return NOBODY;
    uint64_t hash = name_hash(lobby, name);
    while ((place = lobby_index_next(&lobby->index, hash, &cursor)) != NOBODY)
        if (player_of(lobby, place)->used && same_name(player_of(lobby, place)->name, name)) {
            if (text_is(name, text_length(name), player_of(lobby, place)->name))
                return place;
            if (alike == NOBODY)
                alike = place;
        }
    return alike;
}

uint32_t lobby_find_table(const struct lobby *lobby, const uint8_t *id, size_t size)
{
    uint32_t cursor = 0, place;
    if (size != ID_SIZE)
        return NOBODY;
    uint64_t hash = lobby_index_hash(&lobby->index, ID_OF_TABLE, id, ID_SIZE);
    while ((place = lobby_index_next(&lobby->index, hash, &cursor)) != NOBODY)
        if (table_of(lobby, place)->used && lobby_same_id(table_of(lobby, place)->id, id))
            return place;
    return NOBODY;
}

uint32_t lobby_find_code(const struct lobby *lobby, const char *code)
{
    uint32_t cursor = 0, place;
    if (code == NULL || text_length(code) != CODE_SIZE)
        return NOBODY;
    uint64_t hash = code_hash(lobby, code);
    while ((place = lobby_index_next(&lobby->index, hash, &cursor)) != NOBODY)
        if (table_of(lobby, place)->used &&
            memcmp(table_of(lobby, place)->code, code, CODE_SIZE) == 0)
            return place;
    return NOBODY;
}

uint32_t lobby_find_match(const struct lobby *lobby, const uint8_t id[ID_SIZE])
{
    uint32_t cursor = 0, place;
    uint64_t hash = lobby_index_hash(&lobby->index, MATCH_OF_TABLE, id, ID_SIZE);
    while ((place = lobby_index_next(&lobby->index, hash, &cursor)) != NOBODY) {
        const struct table *table = table_of(lobby, place);
        if (table->used && table->stage != STAGE_NONE && lobby_same_id(table->match_id, id))
            return place;
    }
    return NOBODY;
}

static void put(struct lobby *lobby, uint64_t hash, uint32_t place)
{
    lobby_index_put(&lobby->index, hash, place);
}

static void put_key(struct lobby *lobby, uint32_t place)
{
    put(lobby,
        lobby_index_hash(&lobby->index, NAME_OF_KEY, key_of(lobby, place)->key, CALLER_KEY_SIZE),
        place);
}

static void put_player(struct lobby *lobby, uint32_t place)
{
    const struct player *player = player_of(lobby, place);
    put(lobby, lobby_index_hash(&lobby->index, ID_OF_PLAYER, player->id, ID_SIZE), place);
    if (player->name[0] != '\0')
        put(lobby, name_hash(lobby, player->name), place);
}

static void put_table(struct lobby *lobby, uint32_t place)
{
    const struct table *table = table_of(lobby, place);
    put(lobby, lobby_index_hash(&lobby->index, ID_OF_TABLE, table->id, ID_SIZE), place);
    put(lobby, code_hash(lobby, table->code), place);
    if (table->stage != STAGE_NONE)
        put(lobby, lobby_index_hash(&lobby->index, MATCH_OF_TABLE, table->match_id, ID_SIZE),
            place);
}

void lobby_remember_all(struct lobby *lobby)
{
    lobby_index_clear(&lobby->index);
    for (uint32_t i = 0; i < lobby->settings.keys_max; i++)
        if (key_of(lobby, i)->used)
            put_key(lobby, i);
    for (uint32_t i = 0; i < lobby->settings.players_max; i++)
        if (player_of(lobby, i)->used)
            put_player(lobby, i);
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++)
        if (table_of(lobby, i)->used)
            put_table(lobby, i);
}

static void make_room(struct lobby *lobby)
{
    if (lobby_index_is_full(&lobby->index))
        lobby_remember_all(lobby);
}

void lobby_remember_key(struct lobby *lobby, uint32_t place)
{
    make_room(lobby);
    put_key(lobby, place);
}

void lobby_remember_player(struct lobby *lobby, uint32_t place)
{
    make_room(lobby);
    put_player(lobby, place);
}

void lobby_remember_table(struct lobby *lobby, uint32_t place)
{
    make_room(lobby);
    put_table(lobby, place);
}
