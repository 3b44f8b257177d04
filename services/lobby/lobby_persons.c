/* lobby_persons.c: numbers of those who register in games that keep tables of persons (rules/record.h). Pure.
 *
 * A number is given once, to a person who registers, and is never given to another. It is the
 * person's key in the tables, and their id at the door of 2017. A player whom the lobby registers
 * under a name has one number for all matches. Registering in one's own words gives a new number
 * each time, because a gateway's player may be somebody else then. The engine writes the tables, so
 * the lobby tells it each new number and the words of its registration. The lobby keeps them until
 * the engine has the row in its store. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "dice/kinds.h"
#include "services/lobby/lobby_parts.h"

/* Numbers from here on are those that nobody can guess. */
#define UNGUESSABLE (1u << 30)
#define HALF_BITS 15u
#define HALF_MASK ((1u << HALF_BITS) - 1)
#define ROUNDS 6u
#define SENT_AT_ONCE 64u /* In one turn of what is said again. */

bool lobby_numbers(const struct lobby *lobby, const struct table *table)
{
    const struct game_record *record = game_of(lobby, table)->game->record;
    return record != NULL && record->enter != NULL;
}

static uint32_t free_place(const struct lobby *lobby)
{
    uint32_t place = 0;
    while (place < lobby->settings.persons_max && registrant_of(lobby, place)->number != 0)
        place++;
    return place;
}

uint32_t lobby_persons(const struct lobby *lobby)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lobby->settings.persons_max; i++)
        count += registrant_of(lobby, i)->number != 0;
    return count;
}

bool lobby_has_number(const struct lobby *lobby, const struct table *table)
{
    return !lobby_numbers(lobby, table) || (free_place(lobby) < lobby->settings.persons_max &&
                                            meta_of(lobby)->persons < UNGUESSABLE - 1);
}

/* Fifteen bits that nobody knows who does not know the secret. */
static uint32_t secret_bits(const struct meta *meta, uint32_t round, uint32_t half)
{
    struct dice dice;
    uint8_t     key[DICE_KEY_BYTES] = { 0 };
    memcpy(key, meta->persons_secret, sizeof meta->persons_secret);
    key[PERSONS_SECRET_SIZE] = (uint8_t) round;
    key[PERSONS_SECRET_SIZE + 1] = (uint8_t) half;
    key[PERSONS_SECRET_SIZE + 2] = (uint8_t) (half >> 8);
    dice_chacha(&dice, key);
    return dice_bits(&dice, HALF_BITS);
}

/* The counter, shuffled. A Feistel network gives each of 2^30 numbers another one, so none comes
 * twice. No result is one of the counted numbers, because those are lower. */
static uint32_t unguessable(struct lobby *lobby, uint32_t count)
{
    static const uint8_t none[PERSONS_SECRET_SIZE];
    struct meta         *meta = lobby_touch(lobby, RECORD_META, 0);
    uint32_t             high = count >> HALF_BITS, low = count & HALF_MASK;
    if (memcmp(meta->persons_secret, none, sizeof none) == 0)
        lobby_draw_id(lobby, meta->persons_secret);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t next = high ^ secret_bits(meta, round, low);
        high = low;
        low = next;
    }
    return UNGUESSABLE | high << HALF_BITS | low;
}

static uint32_t next_number(struct lobby *lobby, const struct numbering *how)
{
    struct meta *meta = lobby_touch(lobby, RECORD_META, 0);
    if (how->above > meta->persons && how->above < UNGUESSABLE)
        meta->persons = how->above;
    assert(meta->persons < UNGUESSABLE - 1);
    meta->persons++;
    return how->is_unguessable ? unguessable(lobby, (uint32_t) meta->persons)
                               : (uint32_t) meta->persons;
}

static void send_register(struct lobby *lobby, const struct registrant *person, struct outbox *out)
{
    uint8_t       id[ID_SIZE] = { 0 };
    struct header header;
    for (uint32_t i = 0; i < 4; i++)
        id[ID_SIZE - 1 - i] = (uint8_t) (person->number >> (8 * i));
    header_init(&header, KIND(REGISTER), id);
    uint32_t engine = lobby_engine_of(lobby, header.slot);
    if (engine == NOBODY)
        return; /* Later, when there is one. */
    Arbiter__Engine__Register *to = MAKE(out, engine, register);
    to->game = lobby_string_in(out, lobby->settings.games[person->game].game->name);
    SET(to, number, person->number);
    SET_BYTES(to, player, outbox_copy(out, player_of(lobby, person->player)->id, ID_SIZE), ID_SIZE);
    if (person->size > 0)
        to->person = lobby_string_in(out, person->text);
    outbox_send(out, DOOR_PEER, engine, &header, to);
}

/* Kept until the engine has it. */
static void keep_person(struct lobby *lobby, uint32_t place, uint32_t at, const char *said,
                        struct outbox *out)
{
    const struct table *table = table_of(lobby, place);
    uint32_t            where = free_place(lobby);
    if (where == lobby->settings.persons_max)
        return; /* The match will tell it. */
    struct registrant *person = lobby_touch(lobby, RECORD_PERSON, where);
    *person = (struct registrant){ .number = table->seat[at].number,
                                   .player = table->seat[at].player,
                                   .game = table->game };
    if (text_copy(person->text, sizeof person->text, said))
        person->size = (uint32_t) text_length(person->text);
    send_register(lobby, person, out);
}

/* Of several seats of one player, only one is under the player's own number. Nobody plays against
 * themselves in the tables. */
static bool is_taken(const struct table *table, uint32_t at, uint32_t number)
{
    for (uint32_t i = 0; i < table->seat_count; i++)
        if (i != at && table->seat[i].player != NOBODY && table->seat[i].number == number)
            return true;
    return false;
}

typedef char *desk_text(struct lobby *lobby, uint32_t place, uint32_t at, struct outbox *out);

static uint32_t number_seat(struct lobby *lobby, uint32_t place, uint32_t at,
                            const struct numbering *how, desk_text *said, struct outbox *out)
{
    static const struct numbering by_name;
    struct table                 *table = touch_table(lobby, place);
    struct seat                  *seat = &table->seat[at];
    if (!lobby_numbers(lobby, table) || seat->player == NOBODY)
        return 0;
    uint32_t his = how == NULL ? player_of(lobby, seat->player)->number : 0;
    if (his != 0 && !is_taken(table, at, his)) {
        seat->number = his;
        return his;
    }
    if (meta_of(lobby)->persons >= UNGUESSABLE - 1)
        return 0;
    seat->number = next_number(lobby, how != NULL ? how : &by_name);
    if (how == NULL && his == 0)
        touch_player(lobby, seat->player)->number = seat->number;
    keep_person(lobby, place, at, said(lobby, place, at, out), out);
    return seat->number;
}

uint32_t lobby_number_seat(struct lobby *lobby, uint32_t place, uint32_t at,
                           const struct numbering *how, struct outbox *out)
{
    return number_seat(lobby, place, at, how, lobby_desk_said, out);
}

void lobby_number_all(struct lobby *lobby, uint32_t place, struct outbox *out)
{
    for (uint32_t i = 0; i < table_of(lobby, place)->match_seats; i++)
        if (table_of(lobby, place)->seat[i].number == 0)
            number_seat(lobby, place, i, NULL, lobby_desk_person, out);
}

void lobby_on_registered(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    const Arbiter__Engine__Registered *registered = BODY(Arbiter__Engine__Registered, event);
    (void) out;
    for (uint32_t i = 0; i < lobby->settings.persons_max && registered->has_number; i++)
        if (registrant_of(lobby, i)->number == registered->number && registered->number != 0)
            memset(lobby_touch(lobby, RECORD_PERSON, i), 0, sizeof(struct registrant));
}

/* The words of the registration go, also on their way to the engine. The engine is then told of
 * nobody by this number. */
static void forget(struct lobby *lobby, uint32_t place)
{
    struct registrant *person = lobby_touch(lobby, RECORD_PERSON, place);
    memset(person->text, 0, sizeof person->text);
    person->size = 0;
}

/* A player may have registered more often than that while no engine was there. Then the rest goes
 * as it is sent again. */
void lobby_forget_person(struct lobby *lobby, uint32_t player)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lobby->settings.persons_max && count < SENT_AT_ONCE; i++) {
        if (registrant_of(lobby, i)->number == 0 || registrant_of(lobby, i)->player != player)
            continue;
        forget(lobby, i);
        count++;
    }
}

/* Round by round, so that many of them fit an outbox. */
void lobby_persons_again(struct lobby *lobby, struct outbox *out)
{
    uint32_t count = lobby->settings.persons_max, sent = 0, i = 0;
    assert(count > 0);
    if (lobby->persons_ms > lobby->now_ms)
        return;
    lobby->persons_ms = lobby->now_ms + lobby->settings.again_ms;
    for (; i < count && sent < SENT_AT_ONCE; i++) {
        uint32_t                 place = (lobby->person_at + i) % count;
        const struct registrant *person = registrant_of(lobby, place);
        if (person->number == 0)
            continue;
        if (person->size > 0 && player_of(lobby, person->player)->name[0] == '\0')
            forget(lobby, place);
        send_register(lobby, person, out);
        sent++;
    }
    lobby->person_at = (lobby->person_at + i) % count;
}

/* A store from before there were such numbers: matches had two of their own each, and none is given again. Every
 * match has a result by now, or is played. */
void lobby_number_on(struct lobby *lobby)
{
    struct meta *meta = meta_of(lobby);
    if (meta->persons != PERSONS_UNKNOWN)
        return;
    uint64_t matches = meta->results;
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++)
        matches += table_of(lobby, i)->used && table_of(lobby, i)->phase == PHASE(PLAYING);
    matches *= lobby->settings.numbers_apart;
    lobby_touch(lobby, RECORD_META, 0);
    meta->persons = matches < UNGUESSABLE / 4 ? 2 * matches : UNGUESSABLE / 2;
}
