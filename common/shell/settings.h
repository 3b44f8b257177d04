/* settings.h: what a service is told at its start: a JSON file, and the command line over it.
 *
 * A setting has one name, written `memory_bytes` in the file and `--memory-bytes` on the command line, which is read
 * by options/options.h. A
 * key that begins with '#' is a remark. Every fault is named with its place: `file:/pointer: what is
 * wrong`, or the option. */
#ifndef ARBITER_SHELL_SETTINGS_H
#define ARBITER_SHELL_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum setting_kind {
    SETTING_TEXT,     /* `at` is a char array of `most` bytes, its NUL included.                  */
    SETTING_NUMBER32, /* `at` is a uint32_t from `least` to `most`.                               */
    SETTING_NUMBER64, /* The same as uint64_t.                                                    */
    SETTING_FLAG      /* `at` is a bool; true and false in the file, without a value as option.   */
};

struct setting {
    const char       *name; /* "memory_bytes".                                                    */
    enum setting_kind kind;
    void             *at;
    uint64_t          least, most;
    const char       *about; /* A sentence for --help and the file's remark.                      */
};

struct settings_list {
    const struct setting *list;
    uint32_t              count;
};

/* Settings may come in several lists (common ones, a service's own). Each returns false, with a line
 * for every fault. `file` takes what the file says; `options` what argv[1..] says, passing by `--config
 * FILE`. */
bool settings_file(const struct settings_list *lists, uint32_t list_count, const char *path,
                   FILE *complaints);
bool settings_options(const struct settings_list *lists, uint32_t list_count, int argc, char **argv,
                      FILE *complaints);
/* One line for each, with what it is now. */
void settings_help(const struct settings_list *lists, uint32_t list_count, FILE *to);
/* What one is, as --help says it. */
void settings_print(const struct setting *setting, FILE *to);

/* The same settings at a place of their own, with what they are now: read there, they change nothing else. */
struct settings_copy {
    struct setting
            *list; /* NULL: there was no memory. In the order of the lists.                   */
    uint32_t count;
    uint8_t *bytes;
};
struct settings_copy settings_copy(const struct settings_list *lists, uint32_t list_count);
void                 settings_free(struct settings_copy *copy);
bool                 setting_is(const struct setting *one, const struct setting *other);
/* `to` becomes what `from` is. */
void                 setting_take(const struct setting *to, const struct setting *from);

#endif
