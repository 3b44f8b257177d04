/* rest_fuzz.c: any bytes as the body of a request of 2017, whole or in chunks: read, judged, and never further.
 *
 * The first byte is the path (its low bits) and whether the body comes in chunks (its highest). What is read
 * must be what the core may rely on: a malformed request carries nothing but its id, a good one all it needs. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "services/gateway/chunked.h"
#include "services/gateway/rest/rest_half.h"
#include "services/gateway/shell/xml/xml.h"

#define FIELDS 32u

/* The body without its chunks; each byte on its own must give the same as all at once. */
static size_t unchunk(const uint8_t *bytes, size_t size, uint8_t *to, uint8_t *again)
{
    struct chunked whole = { 0 }, piecemeal = { 0 };
    size_t         length = chunked_take(&whole, bytes, size, to), count = 0;
    for (size_t i = 0; i < size; i++)
        count += chunked_take(&piecemeal, bytes + i, 1, again + count);
    assert(count == length && memcmp(to, again, length) == 0);
    assert(whole.step == piecemeal.step && length <= size);
    return length;
}

/* What the core takes for granted. */
static void judge(const Arbiter__Gateway__RestAsk *ask, size_t size)
{
    char half[REST_HALF_MAX(FIELDS)];
    if (ask->malformed)
        return;
    assert(ask->has_impl);
    if (ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_NEW_PLAYER) {
        assert(ask->person != NULL && strlen(ask->person) <= 272);
        const char *line = strchr(ask->person, '\n');
        assert(line != NULL && line > ask->person && strchr(line + 1, '\n') != NULL);
    }
    if (ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_MAP) {
        assert(ask->half != NULL && strlen(ask->half) <= size);
        size_t stripped = rest_half_strip(half, FIELDS, ask->half, strlen(ask->half));
        assert(stripped <= sizeof half);
        (void) rest_half_same(half, stripped, half, stripped);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    Arbiter__Gateway__RestAsk ask;
    struct rest_paper         paper;
    if (size == 0)
        return 0;
    uint8_t *body = malloc(size), *again = malloc(size);
    char    *texts = malloc(size), *half = malloc(size + 1);
    assert(body != NULL && again != NULL && texts != NULL && half != NULL);
    struct rest_words words = { .half = half };
    size_t            length = size - 1;
    if ((bytes[0] & 0x80) != 0)
        length = unchunk(bytes + 1, size - 1, body, again);
    else
        memcpy(body, bytes + 1, length);
    xml_read((const char *) body, length, texts, &paper);
    rest_read(&paper, (Arbiter__Gateway__RestPath) (1 + bytes[0] % 4), &words, &ask);
    judge(&ask, length);
    free(body);
    free(again);
    free(texts);
    free(half);
    return 0;
}
