/* client_stage.h: lobby, engine and fanout in one process, for the client's shell: real sockets,
 * real keys, a real match of nim. */
#ifndef ARBITER_TEST_CLIENT_STAGE_H
#define ARBITER_TEST_CLIENT_STAGE_H

#include <stdint.h>

#include "bus/bus.h"

struct stage;

/* Opens its doors; `folder` is for sockets and keys. */
struct stage *stage_open(const char *folder);
void          stage_close(struct stage **stage);
/* What a client must know; strings live as long as the house. */
const char   *stage_requests(const struct stage *stage);
const char   *stage_stream(const struct stage *stage);
const char   *stage_key(const struct stage *stage);
/* Lets a key in as a client. */
void          stage_admit(struct stage *stage, const uint8_t key[BUS_KEY_SIZE]);
/* Answers whatever has come; waits for it at most so long. */
void          stage_serve(struct stage *stage, int wait_ms);
/* Loses the next so many frames of the stream. */
void          stage_lose(struct stage *stage, uint32_t frames);
/* The number of its match's last act. */
uint64_t      stage_number(const struct stage *stage);

#endif
