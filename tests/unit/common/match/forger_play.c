/* forger_play.c: plays the match of forger_play as an engine would, and writes it down. */
#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/stream.pb-c.h"
#include "dice/commitment.h"
#include "forger.h"
#include "games/nim/nim.h"
#include "wire/header.h"
#include "json/config_file.h"

#define SETUP "{\"heaps\": [3, 3, 3]}"
#define SEATS 3
#define TAKES 9

static const uint8_t id[MATCH_ID_SIZE] = { 1, 2, 3 };
static const uint8_t sealing[MATCH_SECRET_SIZE] = { 4, 5, 6 };
static const uint8_t house[SECRET_BYTES] = { 7, 8, 9 };
static const uint8_t given[2][CONTRIBUTION_BYTES] = { { 10, 11 }, { 12, 13 } };

/* The match while it is played. */
struct stage {
    struct forger       *forger;
    uint32_t             protocol;
    struct forger        acts; /* They are written behind what is known only later.            */
    struct match_terms   terms;
    struct match_form    form;
    struct match        *match;
    struct match_room    room;
    struct match_act     act;
    struct contributions dice;
    uint8_t              commitment[COMMITMENT_BYTES];
    uint8_t              secrets[128];
    uint32_t             session[SEATS], request[SEATS];
};

static void add_contributor(Arbiter__Match__Header *header, uint32_t seat,
                            Arbiter__Wire__Origin origin)
{
    Arbiter__Wire__Contributor *contributor = malloc(sizeof *contributor);
    assert_non_null(contributor);
    arbiter__wire__contributor__init(contributor);
    contributor->has_seat = contributor->has_origin = true;
    contributor->seat = seat;
    contributor->origin = origin;
    header->contributors[header->n_contributors++] = contributor;
}

static void put_header(struct stage *stage, struct forger *forger)
{
    Arbiter__Match__Header *header =
        forger_add(forger, ARBITER__MATCH__RECORD__KIND_HEADER, &arbiter__match__header__descriptor)
            ->header;
    header->has_match_id = header->has_protocol = header->has_rules_version = true;
    header->has_seats = header->has_commitment = header->has_created_ms = true;
    header->match_id = forger_copy(id, sizeof id);
    header->protocol = stage->protocol;
    header->game = forger_text("nim");
    header->rules_version = 1;
    header->setup = forger_text(SETUP);
    header->seats = SEATS;
    header->dice = forger_text("chacha");
    header->commitment = forger_copy(stage->commitment, sizeof stage->commitment);
    header->created_ms = 1000;
    if (stage->protocol == PROTOCOL_FIRST)
        return;
    header->contributors = calloc(2, sizeof header->contributors[0]);
    assert_non_null(header->contributors);
    add_contributor(header, 0, ARBITER__WIRE__ORIGIN__ORIGIN_OWN);
    add_contributor(header, 1, ARBITER__WIRE__ORIGIN__ORIGIN_GATEWAY);
}

static void put_contribution(struct forger *forger, uint32_t seat, bool revealed)
{
    uint8_t                       hash[COMMITMENT_BYTES];
    Arbiter__Match__Contribution *contribution =
        forger_add(forger, ARBITER__MATCH__RECORD__KIND_CONTRIBUTION,
                   &arbiter__match__contribution__descriptor)
            ->contribution;
    commit_bytes(given[seat], hash);
    contribution->has_seat = contribution->has_hash = true;
    contribution->seat = seat;
    contribution->hash = forger_copy(hash, sizeof hash);
    contribution->has_revealed = revealed;
    if (revealed)
        contribution->revealed = forger_copy(given[seat], sizeof given[seat]);
}

static void put_seat(struct forger *forger, uint32_t number, uint32_t generation, uint64_t since,
                     bool bot)
{
    Arbiter__Match__Seat *seat =
        forger_add(forger, ARBITER__MATCH__RECORD__KIND_SEAT, &arbiter__match__seat__descriptor)
            ->seat;
    seat->has_seat = seat->has_bot = seat->has_generation = seat->has_since = true;
    seat->seat = number;
    seat->name = forger_text("Somebody");
    seat->bot = bot;
    seat->generation = generation;
    seat->since = since;
}

/* The act that was just played; `asker` is the seat whose request it was, or SEATS. */
static void put_act(struct stage *stage, uint32_t asker)
{
    Arbiter__Match__Act *act =
        forger_add(&stage->acts, ARBITER__MATCH__RECORD__KIND_ACT, &arbiter__match__act__descriptor)
            ->act;
    act->has_number = act->has_actor = act->has_command = act->has_body = act->has_chain = true;
    act->has_epoch = act->has_session = act->has_request = act->has_at_ms = true;
    act->number = stage->act.number;
    act->actor = stage->act.actor;
    act->command = forger_copy(stage->act.command, stage->act.command_size);
    act->body = forger_copy(stage->act.body, stage->act.body_size);
    act->chain = forger_copy(stage->act.chain, sizeof stage->act.chain);
    act->epoch = stage->match->epoch;
    act->session = asker < SEATS ? stage->session[asker] : 0;
    act->request = asker < SEATS ? ++stage->request[asker] : 0;
    act->at_ms = 1000 + stage->act.number;
}

static void say(struct stage *stage, Arbiter__Stream__HouseEvent__KindCase kind, void *event,
                uint32_t asker)
{
    Arbiter__Stream__HouseEvent said = ARBITER__STREAM__HOUSE_EVENT__INIT;
    uint8_t                     bytes[256];
    said.kind_case = kind;
    said.dice_committed = event; /* All kinds are pointers there. */
    assert_true(arbiter__stream__house_event__get_packed_size(&said) <= sizeof bytes);
    size_t             size = arbiter__stream__house_event__pack(&said, bytes);
    struct match_house last = stage->room.last;
    stage->room.last.size = 0; /* A player who only speaks does not end the match. */
    match_say(stage->match, bytes, size, &stage->room, &stage->act);
    stage->room.last = last;
    put_act(stage, asker);
}

static void say_contribution(struct stage *stage, uint32_t seat, bool revealed)
{
    uint8_t                        hash[COMMITMENT_BYTES];
    uint8_t                        bytes[CONTRIBUTION_BYTES];
    Arbiter__Stream__HashPosted    posted = ARBITER__STREAM__HASH_POSTED__INIT;
    Arbiter__Stream__BytesRevealed shown = ARBITER__STREAM__BYTES_REVEALED__INIT;
    commit_bytes(given[seat], hash);
    memcpy(bytes, given[seat], sizeof bytes);
    posted.has_seat = posted.has_hash = shown.has_seat = shown.has_revealed = true;
    posted.seat = shown.seat = seat;
    posted.hash = (ProtobufCBinaryData){ sizeof hash, hash };
    shown.revealed = (ProtobufCBinaryData){ sizeof bytes, bytes };
    if (revealed) {
        assert_true(contributions_reveal(&stage->dice, seat, bytes));
        say(stage, ARBITER__STREAM__HOUSE_EVENT__KIND_BYTES_REVEALED, &shown, seat);
    } else {
        assert_true(contributions_post(&stage->dice, seat, hash));
        say(stage, ARBITER__STREAM__HOUSE_EVENT__KIND_HASH_POSTED, &posted, seat);
    }
}

static void make_dice(struct stage *stage)
{
    uint8_t                        key[DICE_KEY_BYTES];
    uint32_t                       asked[] = { 0, 1 };
    Arbiter__Stream__DiceCommitted committed = ARBITER__STREAM__DICE_COMMITTED__INIT;
    Arbiter__Stream__SeatSilent    silent = ARBITER__STREAM__SEAT_SILENT__INIT;
    committed.has_commitment = true;
    committed.commitment = (ProtobufCBinaryData){ sizeof stage->commitment, stage->commitment };
    committed.seats = asked;
    committed.n_seats = 2;
    contributions_open(&stage->dice, id, stage->commitment, 3);
    say(stage, ARBITER__STREAM__HOUSE_EVENT__KIND_DICE_COMMITTED, &committed, SEATS);
    say_contribution(stage, 0, false);
    say_contribution(stage, 1, false);
    say_contribution(stage, 0, true);
    silent.has_seat = true;
    silent.seat = 1;
    contributions_silent(&stage->dice, 2);
    say(stage, ARBITER__STREAM__HOUSE_EVENT__KIND_SEAT_SILENT, &silent, SEATS);
    assert_true(contributions_key(&stage->dice, house, key));
    dice_chacha(&stage->match->dice, key);
}

static void change_hands(struct stage *stage)
{
    Arbiter__Stream__SeatChanged changed = ARBITER__STREAM__SEAT_CHANGED__INIT;
    changed.has_seat = changed.has_generation = changed.has_bot = true;
    changed.seat = 1;
    changed.generation = 2;
    changed.bot = true;
    say(stage, ARBITER__STREAM__HOUSE_EVENT__KIND_SEAT_CHANGED, &changed, SEATS);
    match_set_generation(stage->match, 1, 2);
    stage->session[1] = 2;
    stage->request[1] = 0;
}

static void play_acts(struct stage *stage)
{
    make_dice(stage);
    match_first(stage->match, &stage->room, &stage->act);
    put_act(stage, SEATS);
    for (uint32_t i = 0; i < TAKES; i++) {
        struct command take = { .kind = NIM_TAKE, .arg = { (word) (i / 3), 1 } };
        assert_int_equal(match_play(stage->match, i % SEATS, &take, &stage->room, &stage->act),
                         ACCEPTED);
        put_act(stage, i % SEATS);
        if (i == 1)
            change_hands(stage);
        if (i == 3)
            stage->match->epoch++; /* Another engine goes on. */
    }
}

static void put_end(struct stage *stage, struct forger *forger)
{
    uint8_t              digest[MATCH_HASH_SIZE];
    int32_t              outcome[SEATS_MAX] = { 0 };
    Arbiter__Match__End *end =
        forger_add(forger, ARBITER__MATCH__RECORD__KIND_END, &arbiter__match__end__descriptor)->end;
    assert_int_equal(match_to_act(stage->match), 0);
    match_digest(stage->match, digest);
    match_outcome(stage->match, outcome);
    end->has_reason = end->has_acts = end->has_chain = end->has_digest = true;
    end->has_sealing_secret = end->has_dice_secret = true;
    end->reason = ARBITER__MATCH__END__REASON__REASON_FINISHED;
    end->acts = stage->match->number;
    end->chain = forger_copy(stage->match->chain, MATCH_HASH_SIZE);
    end->n_outcome = SEATS;
    end->outcome = malloc(sizeof outcome);
    assert_non_null(end->outcome);
    memcpy(end->outcome, outcome, sizeof outcome);
    end->digest = forger_copy(digest, sizeof digest);
    end->sealing_secret = forger_copy(sealing, sizeof sealing);
    end->dice_secret = forger_copy(house, sizeof house);
}

static size_t write_secrets(uint8_t *bytes)
{
    uint8_t                       copies[2][32];
    Arbiter__Stream__SecretsShown shown = ARBITER__STREAM__SECRETS_SHOWN__INIT;
    Arbiter__Stream__HouseEvent   said = ARBITER__STREAM__HOUSE_EVENT__INIT;
    memcpy(copies[0], sealing, 32);
    memcpy(copies[1], house, 32);
    shown.has_sealing_secret = shown.has_dice_secret = true;
    shown.sealing_secret = (ProtobufCBinaryData){ 32, copies[0] };
    shown.dice_secret = (ProtobufCBinaryData){ 32, copies[1] };
    said.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_SECRETS_SHOWN;
    said.secrets_shown = &shown;
    return arbiter__stream__house_event__pack(&said, bytes);
}

static void play_match(struct stage *stage, const struct game_wire *nim, const void *setup)
{
    struct match_begin begin = { .epoch = 5, .dice = &(struct dice){ .kind = NULL } };
    struct plan       *commands = plan_new(nim->command), *events = plan_new(nim->event);
    stage->form = (struct match_form){ commands, events, &crypto_sodium };
    match_terms_init(&stage->terms, nim->game, setup, SEATS, MATCH_SEALED | MATCH_CHAINED,
                     &stage->form);
    void *memory = calloc(1, match_bytes(&stage->terms));
    void *room = calloc(1, match_room_bytes(&stage->terms));
    assert_true(memory != NULL && room != NULL);
    match_room_init(&stage->room, &stage->terms, room);
    stage->room.last = (struct match_house){ stage->secrets, write_secrets(stage->secrets) };
    memcpy(begin.id, id, sizeof begin.id);
    memcpy(begin.secret, sealing, sizeof begin.secret);
    replay_chain_begin(begin.chain, forger_header(stage->forger));
    stage->match = match_prepare(memory, &stage->terms, &begin);
    play_acts(stage);
    put_end(stage, &stage->acts);
    free(memory);
    free(room);
    plan_destroy(&commands);
    plan_destroy(&events);
}

void forger_play_as(struct forger *forger, uint32_t protocol)
{
    static struct stage     stage;
    size_t                  size = 0;
    struct config_text      config = { "set-up", SETUP, sizeof SETUP - 1 };
    const struct game_wire *nim = registry_find("nim", 1);
    assert_non_null(nim);
    void *setup = config_compile(nim->game, &config, NULL, &size, stderr);
    assert_non_null(setup);
    memset(&stage, 0, sizeof stage);
    *forger = (struct forger){ .spelled = UINT32_MAX };
    stage.forger = forger;
    stage.protocol = protocol;
    for (uint32_t seat = 0; seat < SEATS; seat++)
        stage.session[seat] = 1;
    commit_secret(house, stage.commitment);
    put_header(&stage, forger);
    play_match(&stage, nim, setup);
    put_contribution(forger, 0, true);
    put_contribution(forger, 1, false);
    put_seat(forger, 0, 1, 1, false);
    put_seat(forger, 1, 1, 1, false);
    put_seat(forger, 1, 2, FORGER_HANDS + 2, true);
    put_seat(forger, 2, 1, 1, true);
    for (uint32_t i = 0; i < stage.acts.count; i++)
        forger->record[forger->count++] = stage.acts.record[i];
    free(setup);
}

void forger_play(struct forger *forger)
{
    forger_play_as(forger, PROTOCOL_FIRST);
}
