/* bot_say.c: see bot_say.h. Pure. */
#include "services/bot/bot_say.h"

#include "client/client_event.h"

void bot_say_given_up(const struct bot_given_up *given_up, struct outbox *out)
{
    static const char digits[] = "0123456789abcdef";
    struct text       line;
    text_clear(&line);
    text_put(&line, "match ");
    for (uint32_t i = 0; i < CLIENT_ID_SIZE; i++) {
        text_put_bytes(&line, &digits[given_up->match_id[i] >> 4], 1);
        text_put_bytes(&line, &digits[given_up->match_id[i] & 15], 1);
    }
    text_put(&line, ", seat ");
    text_put_number(&line, given_up->seat);
    text_put(&line, ": refused ");
    text_put_number(&line, given_up->refusals);
    text_put(&line, " times at act ");
    text_put_number(&line, (int64_t) given_up->act);
    text_put(&line, ", so its bot gets up (");
    text_put_number(&line, (int64_t) given_up->so_far);
    text_put(&line, " so far); the last refusal: ");
    text_put(&line, given_up->why[0] != '\0' ? given_up->why : "without a word");
    outbox_say(out, SAY_WARNING, &line);
}
