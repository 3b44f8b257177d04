/* watch_json.h: what `arbiter watch` shows, for programs: one JSON object per line. */
#ifndef ARBITER_WATCH_JSON_H
#define ARBITER_WATCH_JSON_H

#include "client/client.h"
#include "contract/lobby.pb-c.h"

/* The list: {"match": ..., "game": ..., "title": ..., "players": [...]} of each. */
void watch_json_tables(const Arbiter__Lobby__Tables *tables);
/* {"act": 7, "actor": 0, "events": [{"taken": {...}}]}; actors beyond seats are as in client_event.h. */
void watch_json_act(struct client *client, const struct client_event *event);
/* {"view": {...}, "act": 7}: how it stands behind this act. */
void watch_json_view(struct client *client, const struct client_event *event);
/* {"over": true}. */
void watch_json_over(void);

#endif
