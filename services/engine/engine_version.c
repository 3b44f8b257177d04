/* engine_version.c: the version of a match's acts, and who gives bytes to its dice: judged, taken, told. Pure. */
#include "services/engine/engine_parts.h"
#include "wire/order.h"

/* From protocol 2 on every seat without a bot is bound by the header to give bytes, and says whose they are. */
static bool is_contributor(const Arbiter__Engine__MatchFacts *facts, size_t index, size_t seat)
{
    const Arbiter__Wire__Contributor *contributor =
        index < facts->n_contributors ? facts->contributors[index] : NULL;
    return contributor != NULL && contributor->has_seat && contributor->seat == seat &&
           contributor->has_origin &&
           contributor->origin != ARBITER__WIRE__ORIGIN__ORIGIN_UNSPECIFIED;
}

const char *engine_judge_contributors(const Arbiter__Engine__StartMatch *ask, bool is_hosted)
{
    static const char *wrong = "/contributors: they are not the seats without a bot";
    const Arbiter__Engine__MatchFacts *facts = ask->match;
    uint32_t protocol = facts->has_protocol ? facts->protocol : PROTOCOL_FIRST;
    size_t   count = 0;
    if (protocol < PROTOCOL_FIRST || protocol > PROTOCOL_NEWEST)
        return "/protocol: this engine plays matches of versions 1 and 2";
    for (size_t seat = 0; seat < facts->seats; seat++)
        if (protocol > PROTOCOL_FIRST && is_hosted && !ask->holders[seat]->bot &&
            !is_contributor(facts, count++, seat))
            return wrong;
    return count == facts->n_contributors ? NULL : wrong;
}

void engine_take_contributors(struct hosted *hosted, const Arbiter__Engine__MatchFacts *facts)
{
    uint8_t *at = hosted->contributors;
    for (size_t i = 0; i < facts->n_contributors; i++)
        at = order_put(order_put(at, facts->contributors[i]->seat, 1),
                       (uint64_t) facts->contributors[i]->origin, 1);
    hosted->protocol = facts->has_protocol ? facts->protocol : PROTOCOL_FIRST;
    hosted->contributors_size = (uint32_t) (at - hosted->contributors);
}

void engine_put_contributors(const struct hosted *hosted, Arbiter__Engine__MatchFacts *facts,
                             struct outbox *out)
{
    facts->has_protocol = hosted->protocol > PROTOCOL_FIRST;
    facts->protocol = hosted->protocol;
    facts->contributors = outbox_take(out, SEATS_MAX * sizeof *facts->contributors);
    for (uint32_t at = 0; at < hosted->contributors_size; at += 2) {
        Arbiter__Wire__Contributor *contributor =
            outbox_message(out, &arbiter__wire__contributor__descriptor);
        contributor->has_seat = contributor->has_origin = true;
        contributor->seat = hosted->contributors[at];
        contributor->origin = (Arbiter__Wire__Origin) hosted->contributors[at + 1];
        facts->contributors[facts->n_contributors++] = contributor;
    }
}
