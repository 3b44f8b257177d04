/* history_file.h: finished matches as files, at the history door. Private to history.c. Pure.
 *
 * One question makes one piece: the reads of journal_file.h, from the record asked for on, into as many
 * bytes as one answer holds. Nothing is kept between two questions, so any engine that reads this journal
 * can go on where another stopped. */
#ifndef ARBITER_HISTORY_FILE_H
#define ARBITER_HISTORY_FILE_H

#include "core/core.h"
#include "services/engine/history.h"

struct file_question;

size_t                file_questions_bytes(const struct history_settings *settings);
/* Places them in memory; their reads have the tags from `first_tag` on, one for each. */
struct file_question *file_questions_init(void *memory, const struct history_settings *settings);

void file_on_ask(struct file_question *questions, const struct history_settings *settings,
                 uint32_t first_tag, const struct event *event, struct outbox *out);
/* EVENT_ROW and EVENT_READ_DONE of question `index`. */
void file_on_row(struct file_question *questions, uint32_t index, const struct event *event);
void file_on_done(struct file_question *questions, const struct history_settings *settings,
                  uint32_t first_tag, uint32_t index, const struct event *event,
                  struct outbox *out);

#endif
