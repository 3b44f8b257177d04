/* web_json.h: browser.proto's messages as JSON, the games' own messages in them as objects. */
#ifndef ARBITER_GATEWAY_WEB_JSON_H
#define ARBITER_GATEWAY_WEB_JSON_H

#include "contract/browser.pb-c.h"
#include "services/gateway/browser/browser.h"

struct game_wire;

/* web_legal.c: the games of this build, for the core, and what it needs of their messages. False: no
 * memory. */
bool web_legal_open(struct browser_settings *settings);
void web_legal_close(struct browser_settings *settings);

/* web_minds.c: what hints need of the games; its `crypto` is there. False: no memory. */
bool web_minds_open(struct browser_settings *settings);
void web_minds_close(struct browser_settings *settings);

/* A game by its place; NULL: there are no more. */
const struct game_wire *web_json_game(uint32_t place);

#define WEB_JSON_MAX (1u << 20) /* One Down as text.                                             */

struct web_json;
struct web_json *web_json_open(void);
void             web_json_close(struct web_json **json);
/* A Down's bytes as text; NULL: they are none. Both live until the next call of either. */
const char *web_json_down(struct web_json *json, const struct browser_down *down, size_t *size);
/* An Up from a text; NULL, and a sentence. Commands to unknown matches and tables are left out.
 * Their game is known only when it is known who sits there. Until then the core has its own
 * answer. */
const Arbiter__Browser__Up *web_json_up(struct web_json *json, const struct browser *browser,
                                        const char *text, size_t size, struct text *fault);
/* What that text called its request, whether it was an Up or not; 0: it did not say. */
uint32_t                    web_json_request(const struct web_json *json);
/* An Up from bytes; NULL: they are none. */
const Arbiter__Browser__Up *web_json_unpack(struct web_json *json, const uint8_t *bytes,
                                            size_t size);

#endif
