/* trace.h: a simulated match as a match file, written while it is played. */
#ifndef ARBITER_TRACE_H
#define ARBITER_TRACE_H

#include "contract/match.pb-c.h"
#include "services/console/trial/playing.h"

struct trace;

/* The match file's header of a simulated match. It points into the playing. */
void trace_header(Arbiter__Match__Header *header, const struct playing *playing,
                  uint8_t commitment[COMMITMENT_BYTES]);

/* Opens PATH; NULL after a complaint. */
struct trace *trace_open(const char *path);
/* Writes header and seats of the match that begins. False after a complaint, like all of these. */
bool          trace_begin(struct trace *trace, const struct playing *playing);
bool          trace_act(struct trace *trace, const struct match_act *act);
/* Writes the end and makes the file whole; without `playing` takes it away. */
bool          trace_close(struct trace **trace, const struct playing *playing);

#endif
