/* played.c: see played.h. */
#include "services/console/tournament/played.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "wire/crypto.h"

/* A head with 64 entrants, whose list has 64 KiB, is the longest line there is. */
#define LINE_BYTES ((size_t) 1 << 20)

/* What was there when the file was opened. */
struct reading {
    struct played *played;
    json_t        *head; /* What its own should be.                                     */
    played_game   *take;
    void          *taker;
    char          *line;
    uint64_t       number;  /* Of the line.                                              */
    off_t          whole;   /* So far the file consists of whole lines.                  */
    bool           is_torn; /* There is more, without an end.                           */
    bool           may_change;
    json_t        *kept;  /* Entrants who are as they were; NULL: nothing has changed.    */
    json_t        *lines; /* Their games.                                                 */
};

#define ANOTHER "Name another file with --played."

static int complain_of(const struct played *played, const char *what, const char *remedy)
{
    complain("%s %s: %s. %s", played->path, what, strerror(errno), remedy);
    return CONSOLE_BAD_INPUT;
}

/* The head. */

/* A set-up as text says the same however it is laid out. */
static void add_text(FILE *out, const char *text, size_t size)
{
    json_t *json = text != NULL ? json_loadb(text, size, JSON_DECODE_ANY, NULL) : NULL;
    if (json != NULL)
        json_dumpf(json, out, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    fputc('\n', out);
    json_decref(json);
}

static json_t *digest_of(const struct table *table)
{
    uint8_t hash[CRYPTO_HASH_SIZE];
    char   *text = NULL, hex[2 * CRYPTO_HASH_SIZE + 1];
    size_t  size = 0;
    FILE   *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    add_text(out, table->config, table->config_size);
    add_text(out, table->options, table->options_size);
    (void) fclose(out);
    const struct piece piece = { text, size };
    crypto_sodium.hash(hash, &piece, 1);
    free(text);
    return json_string(sodium_bin2hex(hex, sizeof hex, hash, sizeof hash));
}

static json_t *head_of(const struct played_terms *terms)
{
    const struct game *game = terms->table->wire->game;
    return json_pack("{s:s s:I s:o s:I s:I s:I s:I s:o}", "tournament", game->name, "rules",
                     (json_int_t) game->version, "setup", digest_of(terms->table), "seats",
                     (json_int_t) terms->table->seats, "limit_ms", (json_int_t) terms->limit_ms,
                     "start_ms", (json_int_t) terms->start_ms, "most", (json_int_t) terms->most,
                     "entrants", contestants_json(terms->entrants));
}

static char *head_line(const json_t *head)
{
    char *line = json_dumps(head, JSON_COMPACT);
    if (line == NULL)
        abort();
    return line;
}

/* What differs, as "its --limit is 1000, not 500; ...". */

static void put_json(FILE *out, const json_t *json)
{
    if (json_is_string(json))
        fputs(json_string_value(json), out);
    else if (json == NULL)
        fputs("nothing", out);
    else
        (void) json_dumpf(json, out, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
}

static void put_entrants(FILE *out, const json_t *there, const json_t *wanted)
{
    const char   *name;
    const json_t *who;
    json_object_foreach((json_t *) wanted, name, who)
    {
        const json_t *was = json_object_get(there, name);
        if (was == NULL)
            fprintf(out, "; \"%s\" is not among its entrants", name);
        else if (!json_equal(was, who)) {
            fprintf(out, "; its \"%s\" is ", name);
            put_json(out, was);
            fputs(", not ", out);
            put_json(out, who);
        }
    }
    json_object_foreach((json_t *) there, name, who) if (json_object_get(wanted, name) == NULL)
        fprintf(out, "; its entrant \"%s\" is missing", name);
}

static void put_differences(FILE *out, const json_t *there, const json_t *wanted)
{
    static const struct {
        const char *key, *words;
    } facts[] = { { "tournament", "it is one of" }, { "rules", "its rules are of version" },
                  { "seats", "its --seats is" },    { "limit_ms", "its --limit is" },
                  { "start_ms", "its --start is" }, { "most", "its --most is" } };
    for (uint32_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const json_t *was = json_object_get(there, facts[i].key),
                     *now = json_object_get(wanted, facts[i].key);
        if (json_equal(was, now))
            continue;
        fprintf(out, "; %s ", facts[i].words);
        put_json(out, was);
        fputs(", not ", out);
        put_json(out, now);
    }
    if (!json_equal(json_object_get(there, "setup"), json_object_get(wanted, "setup")))
        fputs("; its set-up is another one (--config, --options, --set)", out);
    put_entrants(out, json_object_get(there, "entrants"), json_object_get(wanted, "entrants"));
}

#define REMEDY "Name another file with --played; nothing was written to this one."

static int refuse_other(const struct reading *reading, const json_t *there)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    put_differences(out, there, reading->head);
    (void) fclose(out);
    complain("%s belongs to another tournament: %s. Use the options that it began with, or name "
             "another file with --played. Nothing was written to this one.",
             reading->played->path, size > 2 ? text + 2 : "its first line says more");
    free(text);
    return CONSOLE_BAD_INPUT;
}

static int refuse_foreign(const struct reading *reading)
{
    complain("%s is no file of a tournament: its first line does not say of which. " REMEDY,
             reading->played->path);
    return CONSOLE_BAD_INPUT;
}

/* Reading. */

/* The next line, without its end; false behind the last whole one. */
static bool next_line(struct reading *reading)
{
    FILE *stream = reading->played->stream;
    if (fgets(reading->line, (int) LINE_BYTES, stream) == NULL)
        return false;
    size_t size = strlen(reading->line);
    reading->number++;
    reading->is_torn = size == 0 || reading->line[size - 1] != '\n';
    if (reading->is_torn)
        return false;
    reading->line[size - 1] = '\0';
    reading->whole = ftello(stream);
    return true;
}

/* The line that has no end is the file's last, and no longer than one can be. */
static bool is_last(const struct reading *reading)
{
    return fgetc(reading->played->stream) == EOF;
}

/* A part of our own head, from a full disk or a power cut, and not one byte more. */
static int read_torn_head(const struct reading *reading)
{
    static const char begin[] = "{\"tournament\":";
    char             *line = head_line(reading->head);
    size_t            size = strlen(reading->line);
    bool              is_ours = is_last(reading) && size >= sizeof begin - 1 &&
                   (off_t) size == ftello(reading->played->stream) &&
                   strncmp(line, reading->line, size) == 0;
    free(line);
    return is_ours ? CONSOLE_OK : refuse_foreign(reading);
}

/* Whether two heads differ in nothing but who plays. */
static bool is_same_but_entrants(const json_t *there, const json_t *wanted)
{
    json_t *one = json_copy((json_t *) there), *other = json_copy((json_t *) wanted);
    json_object_del(one, "entrants");
    json_object_del(other, "entrants");
    bool is_same = json_equal(one, other);
    json_decref(one);
    json_decref(other);
    return is_same;
}

static void keep_entrants(struct reading *reading, const json_t *there)
{
    const json_t *wanted = json_object_get(reading->head, "entrants"), *who;
    const char   *name;
    reading->kept = json_object();
    reading->lines = json_array();
    json_object_foreach((json_t *) wanted, name, who)
    {
        if (json_equal(who, json_object_get(json_object_get(there, "entrants"), name)))
            json_object_set_new(reading->kept, name, json_true());
    }
}

static bool is_kept(const struct reading *reading, const json_t *line)
{
    const char *one = json_string_value(json_object_get(line, "one"));
    const char *other = json_string_value(json_object_get(line, "other"));
    return one != NULL && other != NULL && json_object_get(reading->kept, one) != NULL &&
           json_object_get(reading->kept, other) != NULL;
}

static int read_head(struct reading *reading)
{
    if (!next_line(reading))
        return reading->number == 0 ? CONSOLE_OK : read_torn_head(reading);
    json_t *there = json_loads(reading->line, JSON_REJECT_DUPLICATES, NULL);
    int     code = CONSOLE_OK;
    if (!json_is_string(json_object_get(there, "tournament")) ||
        !json_is_object(json_object_get(there, "entrants")))
        code = refuse_foreign(reading);
    else if (!json_equal(there, reading->head) && reading->may_change &&
             is_same_but_entrants(there, reading->head))
        keep_entrants(reading, there);
    else if (!json_equal(there, reading->head))
        code = refuse_other(reading, there);
    json_decref(there);
    return code;
}

static int read_games(struct reading *reading)
{
    while (next_line(reading)) {
        json_t *line = json_loads(reading->line, JSON_REJECT_DUPLICATES, NULL);
        bool    is_left_out = reading->kept != NULL && line != NULL && !is_kept(reading, line);
        bool    is_taken = line != NULL && (is_left_out || reading->take(reading->taker, line));
        if (is_taken && !is_left_out && reading->lines != NULL)
            json_array_append(reading->lines, line);
        json_decref(line);
        if (is_taken)
            continue;
        complain("%s:%llu: this is no game of the tournament. Take the line out, or name another "
                 "file with --played.",
                 reading->played->path, (unsigned long long) reading->number);
        return CONSOLE_BAD_INPUT;
    }
    if (!reading->is_torn || is_last(reading))
        return CONSOLE_OK;
    complain("%s:%llu: this is no game of the tournament, and no line that broke off. " REMEDY,
             reading->played->path, (unsigned long long) reading->number);
    return CONSOLE_BAD_INPUT;
}

static int read_all(struct reading *reading)
{
    int code = read_head(reading);
    if (code == CONSOLE_OK && reading->whole > 0)
        code = read_games(reading);
    if (code == CONSOLE_OK && ferror(reading->played->stream))
        code = complain_of(reading->played, "cannot be read", ANOTHER);
    return code;
}

/* Opening. */

static int open_file(struct played *played)
{
    struct stat there;
    int         file = open(played->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0)
        return complain_of(played, "cannot be written", ANOTHER);
    played->stream = fdopen(file, "a+");
    if (played->stream == NULL)
        abort();
    if (fstat(file, &there) != 0 || !S_ISREG(there.st_mode)) {
        complain("%s is not a file. Name one with --played.", played->path);
        return CONSOLE_BAD_INPUT;
    }
    /* A lock of this process alone: the processes that play its games outlive it by a moment. */
    const struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    if (fcntl(file, F_SETLK, &all) != 0) {
        if (errno != EACCES && errno != EAGAIN)
            return complain_of(played, "cannot be locked", ANOTHER);
        complain("%s belongs to a tournament that is being played just now. Wait for it, or name "
                 "another file with --played.",
                 played->path);
        return CONSOLE_BAD_INPUT;
    }
    rewind(played->stream);
    return CONSOLE_OK;
}

/* The file anew, with the head of those who play now and the games that still count. It takes the old
 * one's place when all of it is there. */
static int write_anew(struct reading *reading)
{
    struct played   *played = reading->played;
    struct half_file file;
    size_t           index;
    json_t          *line;
    if (!half_file_open(&file, played->path))
        return CONSOLE_BAD_INPUT;
    bool is_put = json_dumpf(reading->head, file.stream, JSON_COMPACT) == 0 &&
                  fputc('\n', file.stream) != EOF;
    json_array_foreach(reading->lines, index, line) is_put =
        is_put && json_dumpf(line, file.stream, JSON_COMPACT) == 0 &&
        fputc('\n', file.stream) != EOF;
    if (!half_file_close(&file, is_put) || !is_put)
        return CONSOLE_BAD_INPUT;
    (void) fclose(played->stream);
    played->stream = NULL;
    int code = open_file(played);
    return code == CONSOLE_OK && fseeko(played->stream, 0, SEEK_END) != 0
               ? complain_of(played, "cannot be written", ANOTHER)
               : code;
}

/* Behind the last whole line; of an empty file, behind its new head. */
static int go_behind(const struct reading *reading)
{
    const struct played *played = reading->played;
    if (fseeko(played->stream, 0, SEEK_END) != 0 ||
        (reading->is_torn && ftruncate(fileno(played->stream), reading->whole) != 0))
        return complain_of(played, "cannot be written", ANOTHER);
    if (reading->whole > 0)
        return CONSOLE_OK;
    char *line = head_line(reading->head);
    bool  is_written = fputs(line, played->stream) != EOF && fputc('\n', played->stream) != EOF &&
                      fflush(played->stream) == 0 && fsync(fileno(played->stream)) == 0;
    free(line);
    return is_written ? CONSOLE_OK : complain_of(played, "cannot be written", ANOTHER);
}

int played_open(struct played *played, const char *path, const struct played_terms *terms,
                played_game *take, void *taker)
{
    *played = (struct played){ .path = path };
    int code = open_file(played);
    if (code != CONSOLE_OK)
        return code;
    struct reading reading = { .played = played,
                               .head = head_of(terms),
                               .take = take,
                               .taker = taker,
                               .may_change = terms->may_change,
                               .line = malloc(LINE_BYTES) };
    if (reading.line == NULL)
        abort();
    code = read_all(&reading);
    if (code == CONSOLE_OK)
        code = reading.kept != NULL ? write_anew(&reading) : go_behind(&reading);
    json_decref(reading.kept);
    json_decref(reading.lines);
    json_decref(reading.head);
    free(reading.line);
    return code;
}

#define GOES_ON "What stands there counts: make room, and the same command goes on."

bool played_add(struct played *played, const json_t *line)
{
    bool is_written = json_dumpf(line, played->stream, JSON_COMPACT) == 0 &&
                      fputc('\n', played->stream) != EOF && fflush(played->stream) == 0;
    if (!is_written)
        (void) complain_of(played, "cannot be written", GOES_ON);
    return is_written;
}

bool played_close(struct played *played)
{
    bool is_closed = played->stream == NULL || fclose(played->stream) == 0;
    played->stream = NULL;
    if (!is_closed)
        (void) complain_of(played, "cannot be written", GOES_ON);
    return is_closed;
}
