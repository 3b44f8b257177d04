/* serve_house.c: the house of one served match, which is gone afterwards. */
#include "services/console/classroom/serve_house.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/command/scratch.h"

void serve_tell_child(const struct child *child, const char *sentence)
{
    if (child->restarts > 0)
        complain("%s %s.", child->name, sentence);
}

static void add_words(struct child *child, const char *option, const char *value)
{
    uint32_t at = 0;
    while (child->words[at] != NULL)
        at++;
    if (at + 2 >= CHILD_WORDS_MAX)
        return;
    child->words[at] = option;
    child->words[at + 1] = value;
}

/* Its time for those who have not begun, games without a registration being just idle; and room for
 * this registration, since it has no other. */
void serve_set_lobby(struct cluster *cluster, const struct serve_terms *terms,
                     struct serve_lobby_words *words)
{
    const struct registration *registration = terms->table->table->wire->game->registration;
    struct child              *lobby = &cluster->children.child[0];
    (void) snprintf(words->timeout_ms, sizeof words->timeout_ms, "%" PRIu64, terms->table->turn_ms);
    (void) snprintf(words->tables, sizeof words->tables, "%" PRIu32, terms->matches + 3);
    add_words(lobby, registration != NULL ? "--registration-ms" : "--idle-ms", words->timeout_ms);
    add_words(lobby, "--tables-max", words->tables);
    if (terms->matches > 1) { /* Each door is a service, with a key. */
        (void) snprintf(words->services, sizeof words->services, "%" PRIu32, terms->matches + 8);
        add_words(lobby, "--services-max", words->services);
        add_words(lobby, "--keys-max", "300");
        add_words(lobby, "--bans-max", "16");
    }
    if (registration == NULL || registration->state_bytes < 64)
        return;
    (void) snprintf(words->desk_bytes, sizeof words->desk_bytes, "%" PRIu32,
                    registration->state_bytes);
    add_words(lobby, "--desk-bytes", words->desk_bytes);
}

bool serve_add_clock(const struct home *home, struct bus_keys *keys)
{
    char  path[PATH_MAX], key[BUS_KEY_TEXT];
    FILE *admitted = home_path(home, path, "keys", "admitted", "") ? fopen(path, "a") : NULL;
    if (admitted == NULL)
        return false;
    bus_keys_make(keys, "watchdog");
    bus_key_write(key, keys->public_key);
    (void) fprintf(admitted, "%s watchdog impatience\n", key);
    return fclose(admitted) == 0;
}

bool serve_open_door(struct serve_door *door, const struct serve_terms *terms, uint32_t number)
{
    char        address[BUS_ADDRESS_MAX], port[24] = "*";
    struct text fault;
    if (terms->port != 0)
        (void) snprintf(port, sizeof port, "%" PRIu32, terms->port + number);
    (void) snprintf(address, sizeof address, "tcp://%.200s:%s", terms->host, port);
    if (serve_listen(door, address, terms->is_open, &fault))
        return true;
    serve_close(door);
    complain("%s.", fault.bytes);
    return false;
}

static int play(struct serve_door *door, struct cluster *cluster, const struct serve_table *table)
{
    struct text fault;
    char        match[24] = "";
    if (!serve_open_table(door, cluster, table, &fault)) {
        if (interrupted())
            return CONSOLE_INTERRUPTED;
        complain("%s.", fault.bytes);
        return CONSOLE_DISAGREES;
    }
    if (door->number > 0)
        (void) snprintf(match, sizeof match, ", match %u,", door->number);
    printf("Arbiter serves %s%s at %s.\n", table->table->wire->game->name, match,
           bus_address(door->socket));
    (void) fflush(stdout);
    serve_run(door);
    if (door->has_failed)
        complain("%s", door->sentence);
    if (door->has_failed)
        return CONSOLE_DISAGREES;
    if (door->ending == SERVE_NOT_BEGUN)
        complain("no match began: nobody started it in time.");
    if (door->ending == SERVE_BROKEN_OFF)
        complain("no match began: a command broke the registration off.");
    return door->is_over ? CONSOLE_OK : CONSOLE_INTERRUPTED;
}

/* The files come last, when nothing more can happen. */
int serve_play(struct serve_door *door, struct cluster *cluster, const struct serve_terms *terms,
               const struct serve_table *table)
{
    int code = play(door, cluster, table), written = CONSOLE_OK;
    if (door->record != NULL)
        written = serve_record_close(door->record, door, table, door->ending);
    if (code == CONSOLE_OK)
        code = written;
    return code == CONSOLE_OK ? terms->code_of(terms->asked, door) : code;
}

int serve_end_house(struct cluster *cluster, const char *folder, int code)
{
    if (!cluster_stop(cluster) && code == CONSOLE_OK)
        code = CONSOLE_DISAGREES;
    if (code != CONSOLE_DISAGREES && code != CONSOLE_BAD_INPUT)
        scratch_remove(folder);
    else
        complain("what the processes said is in %s/log.", folder);
    return code;
}

static int play_apart(struct serve_door *door, const struct serve_terms *terms)
{
    static struct cluster           cluster;
    static struct serve_lobby_words words;
    char                            folder[SCRATCH_MAX];
    struct bus_keys                 keys;
    struct text                     fault;
    int                             code = CONSOLE_BAD_INPUT;
    if (!scratch_make(folder))
        return CONSOLE_BAD_INPUT;
    text_clear(&fault);
    text_put(&fault, "the house does not take a clock of the door's");
    const struct cluster_ask ask = { .home = folder, .tell = serve_tell_child };
    if (cluster_init(&cluster, &ask, &fault) &&
        (door->patience_s == 0 || (serve_add_clock(&cluster.home, &keys) &&
                                   impatience_open(&door->clock, &cluster.home, &keys, &fault)))) {
        serve_set_lobby(&cluster, terms, &words);
        (void) children_tend(&cluster.children, seconds_now());
        code = serve_play(door, &cluster, terms, terms->table);
    } else {
        complain("%s.", fault.bytes);
    }
    serve_close(door);
    return serve_end_house(&cluster, folder, code);
}

int serve_one(const struct serve_terms *terms)
{
    static struct serve_door   door;
    static struct serve_record record;
    struct text                fault;
    door.patience_s = terms->patience_s;
    if (terms->record != NULL && !serve_record_open(&record, terms->record, terms->table, &fault)) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    door.record = terms->record != NULL ? &record : NULL;
    if (serve_open_door(&door, terms, 0))
        return play_apart(&door, terms);
    serve_record_forget(&record);
    return CONSOLE_BAD_INPUT;
}
