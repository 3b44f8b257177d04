/* post.h: a thread that posts bodies over HTTP, so that nobody who takes them can hold up the loop.
 *
 * This is not libcurl. Who takes them stands beside the house, so plain HTTP on one connection for each
 * body is enough, and no image needs a library more. What is not taken is not sent again. */
#ifndef ARBITER_SHELL_POST_H
#define ARBITER_SHELL_POST_H

#include "base/text.h"
#include "shell/log.h"
#include "shell/shell.h"

struct post;

/* Whether http://HOST[:PORT][/PATH] is an address to post to. */
bool         post_judge(const char *url);
/* In the log it says what it cannot send. NULL: no thread, or no such address. */
struct post *post_start(const char *url, const struct log *log);
/* A body of JSON, which is its own from now on; NULL counts as one for which there was no room. */
void         post_put(struct post *post, char *body, size_t size);
void         post_stop(struct post **post);

/* A side for a shell: nobody comes in there, and the core's messages go to `send`, which is asked with the post. */
struct shell_side post_side(struct post *post,
                            void (*send)(void *asked, const struct effect *effect));

#endif
