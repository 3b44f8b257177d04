/* record.c: see record.h. */
#include "record.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#define ID_SIZE 16

static FILE *file;

bool record_open(const char *path)
{
    file = fopen(path, "w");
    return file != NULL;
}

void record_flush(void)
{
    (void) fflush(file);
}

bool record_close(void)
{
    bool is_whole = ferror(file) == 0;
    return fclose(file) == 0 && is_whole;
}

uint64_t record_now_ms(void)
{
    struct timespec now;
    (void) clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
}

static void put_hex(const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        (void) putc(digits[bytes[i] >> 4], file);
        (void) putc(digits[bytes[i] & 15], file);
    }
    if (size == 0)
        (void) putc('-', file);
}

static void begin_line(uint64_t at_ms, const char *what, const uint8_t *id, uint32_t seat,
                       uint64_t number)
{
    (void) fprintf(file, "%" PRIu64 " %s ", at_ms, what);
    put_hex(id, ID_SIZE);
    (void) fprintf(file, " %" PRIu32 " %" PRIu64 " ", seat, number);
}

void record_line(const char *what, const uint8_t *id, uint32_t seat, uint64_t number, uint64_t more)
{
    begin_line(record_now_ms(), what, id, seat, number);
    (void) fprintf(file, "%" PRIu64 "\n", more);
}

void record_bytes(uint64_t at_ms, const char *what, const uint8_t *id, uint32_t seat,
                  uint64_t number, const uint8_t *bytes, size_t size)
{
    begin_line(at_ms, what, id, seat, number);
    put_hex(bytes, size);
    (void) putc('\n', file);
}

void record_act(const uint8_t *id, uint32_t seat, uint64_t number, uint32_t actor,
                const uint8_t *body, size_t size)
{
    uint8_t hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, body, size);
    begin_line(record_now_ms(), "act", id, seat, number);
    (void) fprintf(file, "%" PRIu32 " ", actor);
    put_hex(hash, sizeof hash);
    (void) putc('\n', file);
}

void record_say(const char *format, ...)
{
    va_list arguments;
    (void) fprintf(file, "%" PRIu64 " ", record_now_ms());
    va_start(arguments, format);
    (void) vfprintf(file, format, arguments);
    va_end(arguments);
    (void) putc('\n', file);
}
