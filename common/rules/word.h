/* word.h: the number that rules speak in: arguments of commands, fields of events and of views. */
#ifndef ARBITER_WORD_H
#define ARBITER_WORD_H

#include <stdint.h>

typedef int64_t word;

#define ABSENT INT64_MIN /* Was not sent, or is left out. */

#endif
