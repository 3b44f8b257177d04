/* dead_heard_conform.c: see dead_heard_conform.h. */
#include "games/dead/conform/dead_heard_conform.h"

#include "games/dead/conform/dead_names_conform.h"
#include "games/dead/dead.h"

/* Questions and failures are public in our stream, and name who they are for. */
static bool is_for_one(uint32_t kind)
{
    return kind == DEAD_ACT_NOW || kind == DEAD_VOTE_NOW || kind == DEAD_COMMAND_FAILED;
}

/* An event in the recording's form; NULL: it is not for this client. */
static json_t *show_event(struct house *house, uint32_t client, const struct house_heard *heard,
                          bool *has_left)
{
    uint32_t kind = event_kind(heard->event);
    uint32_t first = event_length(heard->event) > 0 ? (uint32_t) event_fields(heard->event)[0] : 0;
    bool     is_mine = first == house->seat(house, client);
    if (is_for_one(kind) && !is_mine)
        return NULL;
    json_t *shown = dead_show_event(heard->event);
    json_t *args = json_object_get(shown, "args");
    bool    is_private = is_for_one(kind) || event_to(heard->event) != TO_ALL;
    json_object_set_new(shown, "to",
                        is_private ? json_integer((json_int_t) client) : json_string("all"));
    if (is_for_one(kind))
        json_object_del(args, "player");
    if (kind == DEAD_COMMAND_FAILED)
        json_object_set_new(args, "message", json_string("Time is up."));
    if (kind == DEAD_PLAYER)
        json_object_set_new(args, "playerName", json_string(heard->name ? heard->name : ""));
    if (kind == DEAD_LEFT && is_mine)
        *has_left = true;
    return shown;
}

void dead_listen(struct house *house, uint32_t client, bool *has_left, json_t *heard_so_far)
{
    struct house_heard heard;
    bool               was_refused = false;
    while (house->next(house, client, &heard)) {
        json_t *shown = NULL;
        /* After a refusal comes the question again, but for the offer of survivors. Whoever has left was
         * not even refused by the original. */
        bool    is_offer = heard.event != NULL && event_kind(heard.event) == DEAD_CHARACTERS;
        if ((*has_left && heard.refused != NULL) || (was_refused && is_offer))
            continue;
        if (heard.refused != NULL)
            shown = json_pack("{s:i, s:s, s:{s:s}}", "to", (int) client, "ev", "CommandFailed",
                              "args", "message", heard.refused);
        else if (heard.setup != NULL)
            shown = json_pack("{s:i, s:s, s:{s:s}}", "to", (int) client, "ev", "Config", "args",
                              "config", "@file");
        else if (heard.event != NULL)
            shown = show_event(house, client, &heard, has_left);
        was_refused = was_refused || heard.refused != NULL;
        if (shown != NULL)
            json_array_append_new(heard_so_far, shown);
    }
}
