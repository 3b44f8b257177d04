/* follow.c: see follow.h; what is hashed stands in proto/README.md, "The chain". */
#include "follow.h"

#include <sodium.h>
#include <string.h>

#include "contract/nim.pb-c.h"

static void add_number(crypto_hash_sha256_state *hash, uint64_t number, unsigned size)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t) (number >> 8 * (size - 1 - i));
    (void) crypto_hash_sha256_update(hash, bytes, size);
}

/* Behind its length. */
static void add(crypto_hash_sha256_state *hash, const void *bytes, size_t size)
{
    add_number(hash, size, 8);
    (void) crypto_hash_sha256_update(hash, bytes, size);
}

static void add_text(crypto_hash_sha256_state *hash, const char *text)
{
    add(hash, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
}

void follow_begin(struct follow *follow, const uint8_t match[MATCH_SIZE],
                  const Arbiter__Engine__MatchFacts *facts)
{
    crypto_hash_sha256_state hash;
    *follow = (struct follow){ .next = 1, .turn = NOBODY };
    (void) crypto_hash_sha256_init(&hash);
    add_text(&hash, "arbiter match");
    add(&hash, match, MATCH_SIZE);
    add_number(&hash, 12, 8);
    add_number(&hash, 1, 4);
    add_number(&hash, facts->rules_version, 4);
    add_number(&hash, facts->seats, 4);
    add_text(&hash, facts->game);
    add_text(&hash, facts->setup);
    add_text(&hash, facts->options);
    add_text(&hash, facts->dice);
    add(&hash, facts->commitment.data, facts->commitment.len);
    (void) crypto_hash_sha256_final(&hash, follow->chain);
}

static void link_act(struct follow *follow, const Arbiter__Stream__Act *act)
{
    crypto_hash_sha256_state hash;
    if (act->number != follow->next)
        give_up("act %llu, where %llu is the next", (unsigned long long) act->number,
                (unsigned long long) follow->next);
    if (act->chain_before.len != HASH_SIZE ||
        memcmp(act->chain_before.data, follow->chain, HASH_SIZE) != 0)
        give_up("act %llu is of another chain", (unsigned long long) act->number);
    (void) crypto_hash_sha256_init(&hash);
    (void) crypto_hash_sha256_update(&hash, follow->chain, HASH_SIZE);
    add_number(&hash, act->number, 8);
    add_number(&hash, act->actor, 4);
    add(&hash, act->command_hash.data, act->command_hash.len);
    add(&hash, act->body.data, act->body.len);
    (void) crypto_hash_sha256_final(&hash, follow->chain);
    if (act->number == follow->promised &&
        memcmp(follow->promised_chain, follow->chain, HASH_SIZE) != 0)
        give_up("act %llu is not the one its reply told of", (unsigned long long) act->number);
    follow->next++;
}

static void read_started(struct follow *follow, const Arbiter__Nim__Started *started)
{
    for (size_t i = 0; i < started->n_heaps && i < HEAPS_MAX; i++)
        follow->heaps[follow->heap_count++] = started->heaps[i];
}

static void read_taken(struct follow *follow, const Arbiter__Nim__Taken *taken)
{
    if (taken->heap >= follow->heap_count || taken->count < 1 || taken->seat != follow->turn ||
        follow->heaps[taken->heap] != taken->left + taken->count)
        give_up("seat %u took what it could not", taken->seat);
    follow->heaps[taken->heap] = taken->left;
    follow->turn = NOBODY;
}

static void read_event(struct follow *follow, const ProtobufCBinaryData *bytes)
{
    Arbiter__Nim__Event *event = arbiter__nim__event__unpack(NULL, bytes->len, bytes->data);
    if (event == NULL)
        give_up("an event that is none of nim's");
    switch (event->kind_case) {
    case ARBITER__NIM__EVENT__KIND_STARTED: read_started(follow, event->started); break;
    case ARBITER__NIM__EVENT__KIND_TURN: follow->turn = event->turn->seat; break;
    case ARBITER__NIM__EVENT__KIND_TAKEN: read_taken(follow, event->taken); break;
    case ARBITER__NIM__EVENT__KIND_OVER:
        for (size_t i = 0; i < event->over->n_winners; i++)
            follow->winners |= 1u << event->over->winners[i];
        break;
    default: give_up("an event that does not belong here");
    }
    arbiter__nim__event__free_unpacked(event, NULL);
}

void follow_take(struct follow *follow, const Arbiter__Stream__Act *act)
{
    link_act(follow, act);
    Arbiter__Stream__ActBody *body =
        arbiter__stream__act_body__unpack(NULL, act->body.len, act->body.data);
    if (body == NULL)
        give_up("the body of act %llu cannot be read", (unsigned long long) act->number);
    for (size_t i = 0; i < body->n_events; i++) {
        const Arbiter__Stream__PublicEvent *event = body->events[i];
        if (event->has_event)
            read_event(follow, &event->event);
        else if (event->house->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_SECRETS_SHOWN)
            follow->is_over = true;
        else if (event->house->kind_case == ARBITER__STREAM__HOUSE_EVENT__KIND_MATCH_ABORTED)
            give_up("the house ended the match: %s", event->house->match_aborted->reason);
    }
    arbiter__stream__act_body__free_unpacked(body, NULL);
}

void follow_promise(struct follow *follow, uint64_t number, ProtobufCBinaryData chain)
{
    if (chain.len != HASH_SIZE)
        give_up("a reply without a chain");
    if (number + 1 == follow->next && memcmp(chain.data, follow->chain, HASH_SIZE) != 0)
        give_up("a reply tells of another act %llu", (unsigned long long) number);
    follow->promised = number;
    memcpy(follow->promised_chain, chain.data, HASH_SIZE);
}
