/* log.c: see log.h. */
#include "shell/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock/clock.h"

static const char *const levels[] = {
    [SAY_DEBUG] = "debug",
    [SAY_INFO] = "info",
    [SAY_WARNING] = "warning",
    [SAY_ERROR] = "error",
};

int log_level_of(const char *word)
{
    for (int level = SAY_DEBUG; level <= SAY_ERROR; level++)
        if (strcmp(levels[level], word) == 0)
            return level;
    return -1;
}

bool log_says(const struct log *log, enum say_level level)
{
    return level >= log->level;
}

/* A string between quotes, the same in both formats. What is not printable ASCII or well beyond it
 * is a question mark. C1 controls are too: they come as two bytes of UTF-8, and some terminals obey
 * them. */
static size_t put_quoted(char *to, size_t room, const char *from)
{
    size_t size = 0;
    for (; *from != '\0' && size + 2 < room; from++) {
        unsigned char byte = (unsigned char) *from;
        bool          is_c1 =
            byte == 0xc2 && (unsigned char) from[1] >= 0x80 && (unsigned char) from[1] < 0xa0;
        if (is_c1)
            from++;
        if (byte == '"' || byte == '\\')
            to[size++] = '\\';
        to[size++] = byte < 0x20 || byte == 0x7f || is_c1 ? '?' : (char) byte;
    }
    return size;
}

size_t log_line(char line[LOG_LINE_MAX], const struct log *log, enum say_level level,
                const char *sentence, uint64_t wall_ms)
{
    static const char *const heads[] = {
        "time=%04d-%02d-%02dT%02d:%02d:%02d.%03uZ level=%s service=%s message=\"",
        "{\"time\":\"%04d-%02d-%02dT%02d:%02d:%02d.%03uZ\",\"level\":\"%s\",\"service\":\"%s\","
        "\"message\":\"",
    };
    const char *tail = log->is_json ? "\"}\n" : "\"\n";
    struct tm   day;
    time_t      seconds = (time_t) (wall_ms / 1000);
    (void) gmtime_r(&seconds, &day);
    int    head = snprintf(line, LOG_LINE_MAX / 2, heads[log->is_json], day.tm_year + 1900,
                           day.tm_mon + 1, day.tm_mday, day.tm_hour, day.tm_min, day.tm_sec,
                           (unsigned) (wall_ms % 1000), levels[level], log->service);
    size_t size = head < 0 ? 0 : (size_t) head;
    size = size < LOG_LINE_MAX / 2 ? size : LOG_LINE_MAX / 2 - 1;
    size += put_quoted(line + size, LOG_LINE_MAX - size - strlen(tail), sentence);
    memcpy(line + size, tail, strlen(tail));
    return size + strlen(tail);
}

static void write_line(const struct log *log, enum say_level level, const char *sentence)
{
    char   line[LOG_LINE_MAX];
    size_t size = log_line(line, log, level, sentence, clock_wall_ms());
    if (write(log->file, line, size) < 0)
        return; /* Nobody reads: there is nobody to tell. */
}

void log_say(const struct log *log, enum say_level level, const char *sentence)
{
    if (log_says(log, level))
        write_line(log, level, sentence);
}

void log_tell(const struct log *log, enum say_level level, const char *format, ...)
{
    char    sentence[LOG_LINE_MAX / 2];
    va_list words;
    va_start(words, format);
    (void) vsnprintf(sentence, sizeof sentence, format, words);
    va_end(words);
    write_line(log, level, sentence);
}

void log_print(const struct log *log, enum say_level level, const char *format, ...)
{
    char    sentence[LOG_LINE_MAX / 2];
    va_list words;
    if (!log_says(log, level))
        return;
    va_start(words, format);
    (void) vsnprintf(sentence, sizeof sentence, format, words);
    va_end(words);
    log_say(log, level, sentence);
}
