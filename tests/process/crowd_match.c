/* crowd_match.c: chairs of a match: one question at a time, one command at a time, all of it recorded. */
#include <string.h>

#include "contract/engine.pb-c.h"
#include "crowd.h"
#include "record.h"

#define COMMAND_MAX 1024
/* So often a command that gives up is drawn again. */
#define DRAWS 6

static void look(struct crowd *crowd, struct chair *chair)
{
    chair->looks = true;
    chair->at_ms = record_now_ms() + crowd_draw(crowd, crowd->think_ms + 1);
}

static void play(struct crowd *crowd, const struct client_event *event, struct chair *chair,
                 const uint8_t *bytes, size_t size)
{
    uint64_t asked_ms = record_now_ms();
    chair->played = client_play_bytes(crowd->client, event->match_id, event->seat, bytes, size);
    if (chair->played == 0)
        look(crowd, chair);
    else
        record_bytes(asked_ms, "play", event->match_id, event->seat, chair->played, bytes, size);
}

static bool is_seldom(const struct crowd *crowd, const struct command *command)
{
    const struct game *game = crowd->game->game;
    return command->kind < game->command_kinds &&
           (game->commands[command->kind].flags & COMMAND_SELDOM) != 0;
}

/* Any command of the list; now and then the one a greedy player would choose, so that matches end. */
static void choose(struct crowd *crowd, const struct client_event *event, struct chair *chair,
                   const Arbiter__Engine__LegalAnswer *answer)
{
    struct legal   list;
    struct command command;
    uint8_t        bytes[COMMAND_MAX];
    bool           has_list = client_list(crowd->client, event, &list) && legal_count(&list) > 0;
    if (answer->has_best && answer->best.len > 0 && (!has_list || crowd_draw(crowd, 2) == 0)) {
        play(crowd, event, chair, answer->best.data, answer->best.len);
        return;
    }
    if (!has_list) {
        if (answer->has_proposal && answer->proposal.len > 0)
            play(crowd, event, chair, answer->proposal.data, answer->proposal.len);
        return;
    }
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
        legal_pick(&list, crowd_draw(crowd, legal_count(&list)), &command);
        if (!is_seldom(crowd, &command))
            break;
    }
    size_t size = plan_encode_command(crowd->commands, &command, bytes, sizeof bytes);
    if (size > 0)
        play(crowd, event, chair, bytes, size);
}

static void on_legal(struct crowd *crowd, const struct client_event *event, struct chair *chair)
{
    if (event->request != chair->asked)
        return;
    chair->asked = 0;
    record_line("seen", event->match_id, event->seat, event->request, event->number);
    const Arbiter__Engine__LegalAnswer *answer =
        (const Arbiter__Engine__LegalAnswer *) (const void *) client_message(crowd->client, event);
    if (answer == NULL || !answer->has_wait || chair->looks || chair->played != 0 ||
        crowd->is_stopping)
        return;
    choose(crowd, event, chair, answer);
}

static void on_reply(struct crowd *crowd, const struct client_event *event, struct chair *chair)
{
    static const char *const words[] = { [CLIENT_ACCEPTED] = "accepted",
                                         [CLIENT_NOT_ACCEPTED] = "refused",
                                         [CLIENT_UNFIT] = "refused",
                                         [CLIENT_UNSURE] = "unsure" };
    record_line(words[event->outcome], event->match_id, event->seat, event->request, event->number);
    if (event->request == chair->played)
        chair->played = 0;
    look(crowd, chair);
}

/* An end that our seat is not told of any more; commands under way have no answer. */
static void on_end(const struct client_event *event, struct chair *chair, const char *what)
{
    record_line(what, event->match_id, event->seat, event->number,
                event->refusal != 0 ? event->refusal : event->closed);
    if (chair->played != 0)
        record_line("unsure", event->match_id, event->seat, chair->played, 0);
    chair->played = chair->asked = 0;
    chair->looks = chair->is_attached = false;
    chair->is_over = true;
}

void match_hear(struct crowd *crowd, struct bench *bench, const struct client_event *event)
{
    struct chair *chair = &bench->chair[event->seat];
    switch (event->kind) {
    case CLIENT_ATTACHED:
        record_line("attached", event->match_id, event->seat, event->number, 0);
        chair->is_attached = true;
        look(crowd, chair);
        break;
    case CLIENT_ACT:
        record_act(event->match_id, event->seat, event->number, event->actor, event->bytes,
                   event->size);
        chair->heard = event->number;
        look(crowd, chair);
        break;
    case CLIENT_LEGAL: on_legal(crowd, event, chair); break;
    case CLIENT_REPLY: on_reply(crowd, event, chair); break;
    case CLIENT_REFUSED:
        if (event->request == chair->asked) {
            chair->asked = 0;
            look(crowd, chair);
        }
        break;
    case CLIENT_OVER: on_end(event, chair, "over"); break;
    case CLIENT_LOST: on_end(event, chair, "lost"); break;
    case CLIENT_FAULT:
        record_line("fault", event->match_id, event->seat, event->number, (uint64_t) event->fault);
        break;
    default: break;
    }
}

void match_tick(struct crowd *crowd, struct bench *bench, uint64_t now_ms)
{
    for (uint32_t seat = 0; seat < crowd->seats; seat++) {
        struct chair *chair = &bench->chair[seat];
        if (!chair->is_attached || !chair->looks || chair->asked != 0 || chair->played != 0 ||
            chair->at_ms > now_ms || crowd->is_stopping)
            continue;
        uint64_t asked_ms = record_now_ms();
        chair->asked =
            client_legal(crowd->client, bench->match_id, seat, crowd_draw(crowd, 1u << 30), true);
        chair->looks = chair->asked == 0;
        if (chair->asked != 0)
            record_bytes(asked_ms, "look", bench->match_id, seat, chair->asked, NULL, 0);
    }
}
