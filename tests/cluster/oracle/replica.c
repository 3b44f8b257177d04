/* replica.c: see replica.h. */
#include "replica.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/stream.pb-c.h"
#include "dice/kinds.h"
#include "house/nim_two.h"
#include "rules/sink.h"
#include "schema/journal.h"
#include "wire/act.h"
#include "wire/chain.h"
#include "wire/header.h"
#include "wire/order.h"
#include "world/memory.h"
#include "json/config_file.h"

#define GAMES_MAX 8
#define DECODED_BYTES (256u << 10)
/* A copy of the match is kept for every act of a small game; of a large one only the last is known. */
#define COPY_BYTES_MAX 16384u

static struct played_game played[GAMES_MAX];
static uint32_t           played_count;

const struct played_game *replica_game(const char *name, uint32_t version)
{
    const bool              is_two = version == NIM_TWO && strcmp(name, "nim") == 0;
    const struct game_wire *wire = is_two ? nim_two() : registry_find(name, version);
    for (uint32_t i = 0; i < played_count; i++)
        if (played[i].wire == wire)
            return &played[i];
    assert(played_count < GAMES_MAX);
    if (wire == NULL)
        return NULL;
    struct played_game *game = &played[played_count++];
    game->wire = wire;
    game->form =
        (struct match_form){ plan_new(wire->command), plan_new(wire->event), &crypto_sodium };
    game->view = plan_new(wire->view);
    return game;
}

static void *compile(const struct game *game, const struct row *setup)
{
    const struct cell *text = &setup->cells[SETUPS_SETUP];
    const struct cell *options = &setup->cells[SETUPS_OPTIONS];
    struct config_text config = { "set-up", (const char *) text->bytes, text->size };
    struct config_text beside = { "options", NULL, 0 };
    size_t             size = 0;
    if (options->kind == CELL_TEXT && options->size > 0) {
        beside.bytes = (const char *) options->bytes;
        beside.size = options->size;
    }
    FILE *nowhere = fopen("/dev/null", "w");
    void *compiled =
        nowhere != NULL ? config_compile(game, &config, &beside, &size, nowhere) : NULL;
    if (nowhere != NULL)
        fclose(nowhere);
    return compiled;
}

static void hash_header(uint8_t chain[MATCH_HASH_SIZE], const struct row *match,
                        const struct row *setup)
{
    const struct cell  *cells = match->cells;
    uint8_t             seed[8];
    struct chain_header header = { .protocol = PROTOCOL_FIRST,
                                   .rules_version = (uint32_t) cells[MATCHES_RULES_VERSION].number,
                                   .seats = (uint32_t) cells[MATCHES_SEATS].number,
                                   .game = (const char *) cells[MATCHES_GAME].bytes,
                                   .game_size = cells[MATCHES_GAME].size,
                                   .setup = setup->cells[SETUPS_SETUP].bytes,
                                   .setup_size = setup->cells[SETUPS_SETUP].size,
                                   .options = setup->cells[SETUPS_OPTIONS].bytes,
                                   .options_size = setup->cells[SETUPS_OPTIONS].size,
                                   .dice = (const char *) cells[MATCHES_DICE].bytes,
                                   .dice_size = cells[MATCHES_DICE].size,
                                   .commitment = cells[MATCHES_COMMITMENT].bytes,
                                   .commitment_size = cells[MATCHES_COMMITMENT].size,
                                   .contributors = cells[MATCHES_CONTRIBUTORS].bytes,
                                   .contributors_size = cells[MATCHES_CONTRIBUTORS].size };
    if (cells[MATCHES_PROTOCOL].kind == CELL_NUMBER)
        header.protocol = (uint32_t) cells[MATCHES_PROTOCOL].number;
    memcpy(header.match_id, cells[MATCHES_ID].bytes, sizeof header.match_id);
    if (cells[MATCHES_SEED].kind == CELL_NUMBER) {
        order_put(seed, (uint64_t) cells[MATCHES_SEED].number, 8);
        header.commitment = seed;
        header.commitment_size = sizeof seed;
    }
    chain_begin(chain, &crypto_sodium, &header);
}

static bool open_dice(struct replica *replica, const struct row *match, struct dice *dice)
{
    const struct cell *kind = &match->cells[MATCHES_DICE];
    char               name[16] = "";
    if (kind->size >= sizeof name)
        return false;
    memcpy(name, kind->bytes, kind->size);
    replica->is_hosted = match->cells[MATCHES_SEED].kind != CELL_NUMBER;
    if (!replica->is_hosted)
        return dice_open(dice, name, (uint64_t) match->cells[MATCHES_SEED].number);
    if (match->cells[MATCHES_COMMITMENT].size != COMMITMENT_BYTES ||
        match->cells[MATCHES_DICE_SECRET].size != SECRET_BYTES)
        return false;
    contributions_open(&replica->contributions, replica->id, match->cells[MATCHES_COMMITMENT].bytes,
                       0);
    memcpy(replica->dice_secret, match->cells[MATCHES_DICE_SECRET].bytes, SECRET_BYTES);
    return true;
}

bool replica_open(struct replica *replica, const struct row *match, const struct row *setup)
{
    char        name[64] = "";
    struct dice dice = { .kind = &dice_kind_java };
    memset(replica, 0, sizeof *replica);
    if (match->cells[MATCHES_GAME].size >= sizeof name ||
        match->cells[MATCHES_SECRET].size != MATCH_SECRET_SIZE)
        return false;
    memcpy(name, match->cells[MATCHES_GAME].bytes, match->cells[MATCHES_GAME].size);
    memcpy(replica->id, match->cells[MATCHES_ID].bytes, MATCH_ID_SIZE);
    replica->game = replica_game(name, (uint32_t) match->cells[MATCHES_RULES_VERSION].number);
    if (replica->game == NULL || !open_dice(replica, match, &dice))
        return false;
    replica->setup = compile(replica->game->wire->game, setup);
    if (replica->setup == NULL)
        return false;
    match_terms_init(&replica->terms, replica->game->wire->game, replica->setup,
                     (uint32_t) match->cells[MATCHES_SEATS].number, MATCH_CHAINED | MATCH_SEALED,
                     &replica->game->form);
    replica->memory = memory_new(match_bytes(&replica->terms));
    replica->room_memory = memory_new(match_room_bytes(&replica->terms));
    match_room_init(&replica->room, &replica->terms, replica->room_memory);
    struct match_begin begin = { .dice = &dice };
    memcpy(begin.id, replica->id, sizeof begin.id);
    memcpy(begin.secret, match->cells[MATCHES_SECRET].bytes, sizeof begin.secret);
    hash_header(begin.chain, match, setup);
    replica->match = match_prepare(replica->memory, &replica->terms, &begin);
    if (match->cells[MATCHES_TABLE].size == sizeof replica->table)
        memcpy(replica->table, match->cells[MATCHES_TABLE].bytes, sizeof replica->table);
    replica->turn_ms = (uint64_t) match->cells[MATCHES_TURN_MS].number;
    return true;
}

void replica_close(struct replica *replica)
{
    for (uint32_t i = 0; i < replica->count; i++) {
        vault_row_release(replica->acts[i].row);
        free(replica->acts[i].copy);
    }
    free(replica->acts);
    free(replica->setup);
    free(replica->memory);
    free(replica->room_memory);
    memset(replica, 0, sizeof *replica);
}

/* What the house said in an act stands in its body alone: said once by the match, and once more at its
 * end. No rule says it, so it is taken from there, and then the body must be the same to the byte. */
static bool house_words(struct replica *replica, const struct cell *body, bool is_say)
{
    struct act_reader   reader;
    struct act_event    event;
    uint32_t            count = 0;
    struct match_house *place[] = { &replica->room.said, &replica->room.last };
    replica->room.said.size = replica->room.last.size = 0;
    if (!act_read(&reader, body->bytes, body->size, SPECTATOR, NULL, 0))
        return false;
    bool is_own = is_say;
    while (act_next(&reader, &event)) {
        if (!event.is_house)
            continue;
        if (is_own) {
            is_own = false;
            continue;
        }
        if (count == 2)
            return false;
        *place[count++] = (struct match_house){ event.bytes, event.size };
    }
    return true;
}

static void take_dice_word(struct replica *replica, const Arbiter__Stream__HouseEvent *said)
{
    struct contributions *table = &replica->contributions;
    if (said->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_DICE_COMMITTED) {
        uint32_t seats = 0;
        uint8_t  house[COMMITMENT_BYTES];
        memcpy(house, table->house, sizeof house);
        for (size_t i = 0; i < said->dice_committed->n_seats; i++)
            seats |= 1u << said->dice_committed->seats[i];
        contributions_open(table, replica->id, house, seats);
    }
    if (said->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_HASH_POSTED)
        contributions_post(table, said->hash_posted->seat, said->hash_posted->hash.data);
    if (said->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_BYTES_REVEALED)
        contributions_reveal(table, said->bytes_revealed->seat,
                             said->bytes_revealed->revealed.data);
    if (said->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_SEAT_SILENT)
        contributions_silent(table, 1u << said->seat_silent->seat);
}

/* The house says something: of dice before the start, of hands, of clocks. */
static const char *say(struct replica *replica, const struct cell *command, struct match_act *act)
{
    Arbiter__Stream__HouseEvent *said =
        arbiter__stream__house_event__unpack(NULL, command->size, command->bytes);
    if (said == NULL)
        return "what the house says is no HouseEvent";
    take_dice_word(replica, said);
    match_say(replica->match, command->bytes, command->size, &replica->room, act);
    if (said->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_SEAT_CHANGED)
        match_set_generation(replica->match, said->seat_changed->seat,
                             said->seat_changed->generation);
    arbiter__stream__house_event__free_unpacked(said, NULL);
    return NULL;
}

static const char *begin(struct replica *replica, struct match_act *act)
{
    uint8_t key[DICE_KEY_BYTES];
    if (replica->has_begun)
        return "the match begins twice";
    replica->has_begun = true;
    if (replica->is_hosted) {
        if (!contributions_key(&replica->contributions, replica->dice_secret, key))
            return "the dice are not made when the match begins";
        dice_chacha(&replica->match->dice, key);
    }
    match_first(replica->match, &replica->room, act);
    return NULL;
}

static const char *play(struct replica *replica, uint32_t seat, const struct cell *bytes,
                        struct match_act *act)
{
    struct command command;
    struct arena   arena;
    void          *memory = memory_new(DECODED_BYTES);
    const char    *fault = NULL;
    arena_init(&arena, memory, DECODED_BYTES);
    if (!plan_decode_command(replica->game->form.commands, bytes->bytes, bytes->size, &arena,
                             &command))
        fault = "a command that was kept is none of this game";
    else if (match_play(replica->match, seat, &command, &replica->room, act) != ACCEPTED)
        fault = "the rules refuse a command that was accepted";
    free(memory);
    return fault;
}

static const char *play_house(struct replica *replica, uint32_t actor, const struct cell *command,
                              struct match_act *act)
{
    const uint8_t *at = command->bytes;
    bool           has_number = actor == ACTOR_TIME || actor == ACTOR_HOUSE;
    bool           is_done = false;
    if (command->size != (has_number ? 4 : 0))
        return "a command of the house is of the wrong size";
    uint32_t number = has_number ? (uint32_t) order_get(&at, 4) : 0;
    if (actor == ACTOR_TIME)
        is_done = match_expire(replica->match, number, &replica->room, act);
    else if (actor == ACTOR_HOUSE)
        is_done = match_leave(replica->match, number, &replica->room, act);
    else if (actor == ACTOR_ANNUL)
        is_done = match_annul(replica->match, &replica->room, act);
    return is_done ? NULL : "by the rules nothing happens here";
}

static const char *repeat(struct replica *replica, const struct row *row, struct match_act *act)
{
    uint32_t           actor = (uint32_t) row->cells[ACTS_ACTOR].number;
    const struct cell *command = &row->cells[ACTS_COMMAND];
    if (!house_words(replica, &row->cells[ACTS_BODY], actor == ACTOR_SAY))
        return "the body is none";
    replica->match->epoch = (uint64_t) row->cells[ACTS_EPOCH].number;
    if (actor == ACTOR_SAY)
        return say(replica, command, act);
    if (actor == ACTOR_START)
        return begin(replica, act);
    if (!replica->has_begun)
        return "something is played before the match begins";
    return actor < replica->terms.seats ? play(replica, actor, command, act)
                                        : play_house(replica, actor, command, act);
}

static void remember(struct replica *replica, struct vault_row *row, const struct match_act *act,
                     uint64_t now_ns)
{
    const struct cell *cells = row->row->cells;
    if (replica->count == replica->capacity) {
        replica->capacity = replica->capacity == 0 ? 32 : replica->capacity * 2;
        replica->acts = memory_again(replica->acts, replica->capacity * sizeof *replica->acts);
    }
    struct replica_act *kept = &replica->acts[replica->count++];
    memset(kept, 0, sizeof *kept);
    kept->actor = act->actor;
    kept->session = (uint32_t) cells[ACTS_SESSION].number;
    kept->request = (uint32_t) cells[ACTS_REQUEST].number;
    kept->epoch = (uint64_t) cells[ACTS_EPOCH].number;
    kept->slot_count = (uint64_t) cells[ACTS_SLOT_COUNT].number;
    kept->at_ns = now_ns;
    memcpy(kept->chain, act->chain, sizeof kept->chain);
    kept->row = row;
    row->refs++;
    if (replica->has_begun && match_bytes(&replica->terms) <= COPY_BYTES_MAX) {
        kept->copy = memory_new(match_bytes(&replica->terms));
        match_keep(replica->match, kept->copy);
    }
}

const char *replica_play(struct replica *replica, struct vault_row *row, uint64_t now_ns)
{
    const struct cell *cells = row->row->cells;
    struct match_act   act = { 0 };
    if ((uint64_t) cells[ACTS_NUMBER].number != replica->count + 1)
        return "its number does not follow the last one's";
    const uint8_t *before =
        replica->count > 0 ? replica->acts[replica->count - 1].chain : replica->match->chain;
    if (cells[ACTS_CHAIN_BEFORE].size != MATCH_HASH_SIZE ||
        memcmp(cells[ACTS_CHAIN_BEFORE].bytes, before, MATCH_HASH_SIZE) != 0)
        return "its chain does not follow the last one's";
    const char *fault = repeat(replica, row->row, &act);
    if (fault != NULL)
        return fault;
    if (act.body_size != cells[ACTS_BODY].size ||
        memcmp(act.body, cells[ACTS_BODY].bytes, act.body_size) != 0)
        return "played again, its body is another";
    if (cells[ACTS_CHAIN].size != MATCH_HASH_SIZE ||
        memcmp(cells[ACTS_CHAIN].bytes, act.chain, MATCH_HASH_SIZE) != 0)
        return "played again, its chain is another";
    if (replica->has_begun && match_check(replica->match) != NULL)
        return match_check(replica->match);
    remember(replica, row, &act, now_ns);
    return NULL;
}

size_t replica_view(const struct replica *replica, uint64_t number, uint32_t viewer, uint8_t *bytes,
                    size_t capacity)
{
    if (number == 0 || number > replica->count || replica->acts[number - 1].copy == NULL)
        return 0;
    uint32_t    words = replica->terms.bounds.view_words;
    struct sink sink = { .words = memory_new(words * sizeof(word)), .capacity = words };
    match_view(replica->acts[number - 1].copy, viewer, &sink);
    size_t size = plan_encode(replica->game->view, sink.words, sink.used, bytes, capacity);
    free(sink.words);
    return size;
}
