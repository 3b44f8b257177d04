/* marks.c: see marks.h. */
#include "marks.h"

static const char *const sentences[MARKS_COUNT] = {
#define MARK(name, sentence) sentence,
    MARKS(MARK)
#undef MARK
};

const char *mark_sentence(enum mark which)
{
    return sentences[which];
}
