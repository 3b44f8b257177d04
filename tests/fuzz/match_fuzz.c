/* match_fuzz.c: any bytes as a match file: never a crash, and never "verified" for another match.
 *
 * The first byte chooses how good a forger writes the rest, which is the file. The forger 'r'
 * leaves it as it is, 'm' mends lengths and checks of the records, 'c' the whole chain, too. What
 * 'r' and 'm' write may only be verified if it claims what a file corpus/match_fuzz/valid-* claims.
 * A true match that was never played may well come of 'c'. So nothing is asked of it but an
 * answer. */
#include <assert.h>
#include <glob.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "match/verify.h"
#include "match_mend.h"

#define VALID_MAX 32
#define FILE_MAX ((size_t) 1 << 20)

static uint8_t  valid[VALID_MAX][MATCH_HASH_SIZE];
static uint32_t valid_count;

static void learn(const char *path)
{
    struct verify_report report;
    FILE                *stream = fopen(path, "rb");
    uint8_t             *bytes = malloc(FILE_MAX);
    assert(stream != NULL && bytes != NULL && valid_count < VALID_MAX);
    size_t size = fread(bytes, 1, FILE_MAX, stream);
    fclose(stream);
    assert(size > 0 && bytes[0] == 'r');
    verify(&report, bytes + 1, size - 1);
    assert(report.holds && match_essence(bytes + 1, size - 1, valid[valid_count]));
    valid_count++;
    free(bytes);
}

static void learn_all(void)
{
    glob_t found;
    if (sodium_init() < 0 ||
        glob(ARBITER_SOURCE "/tests/fuzz/corpus/match_fuzz/valid-*", 0, NULL, &found) != 0)
        abort();
    for (size_t i = 0; i < found.gl_pathc; i++)
        learn(found.gl_pathv[i]);
    globfree(&found);
}

static bool is_valid(const uint8_t *bytes, size_t size)
{
    uint8_t essence[MATCH_HASH_SIZE];
    if (!match_essence(bytes, size, essence))
        return false;
    for (uint32_t i = 0; i < valid_count; i++)
        if (memcmp(essence, valid[i], sizeof essence) == 0)
            return true;
    return false;
}

static void judge(const uint8_t *bytes, size_t size, bool may_be_another)
{
    struct verify_report report;
    verify(&report, bytes, size);
    assert(report.holds == (report.fault.size == 0));
    assert(text_length(report.fault.bytes) == report.fault.size);
    if (!report.holds)
        return;
    assert(report.acts > 0);
    assert(may_be_another || is_valid(bytes, size));
}

static void judge_mended(const uint8_t *bytes, size_t size)
{
    size_t   written = 0;
    uint8_t *mended = match_mend_chains(bytes, size, &written);
    if (mended == NULL)
        return;
    judge(mended, written, true);
    free(mended);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (valid_count == 0)
        learn_all();
    if (size < 1)
        return 0;
    uint8_t *file = malloc(size);
    assert(file != NULL);
    memcpy(file, bytes + 1, size - 1);
    if (bytes[0] != 'r')
        match_mend_checks(file, size - 1);
    if (bytes[0] == 'c')
        judge_mended(file, size - 1);
    else
        judge(file, size - 1, false);
    free(file);
    return 0;
}
