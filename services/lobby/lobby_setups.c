/* lobby_setups.c: set-ups, those that come with a game and people's own: found, judged, compiled. Pure. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "services/lobby/lobby_parts.h"

/* All faults of a set-up, one sentence behind the other, as far as there is room. */
struct complaints {
    struct faults faults;
    char         *text;
    size_t        used;
};

static void add(struct complaints *complaints, const char *text, size_t size)
{
    size_t room = SENTENCE_MAX - 1 - complaints->used;
    size = size < room ? size : room;
    memcpy(complaints->text + complaints->used, text, size);
    complaints->used += size;
    complaints->text[complaints->used] = '\0';
}

static void report(struct faults *faults, const struct value *at, const char *key, const char *what)
{
    struct complaints *complaints = (struct complaints *) (void *) faults;
    struct text        place;
    text_clear(&place);
    if (at != NULL)
        value_place(&place, at);
    if (key != NULL) {
        text_put(&place, "/");
        text_put(&place, key);
    }
    faults->count++;
    if (complaints->used > 0)
        add(complaints, "\n", 1);
    if (place.size > 0) {
        add(complaints, place.bytes, place.size);
        add(complaints, ": ", 2);
    }
    add(complaints, what, text_length(what));
}

static struct complaints complaints_of(struct lobby *lobby)
{
    lobby->sentence[0] = '\0';
    return (struct complaints){ .faults.report = report, .text = lobby->sentence };
}

/* A sentence may have been cut within a character. */
static void end_well(char *text, size_t size)
{
    while (size > 0 && size == SENTENCE_MAX - 1 && ((uint8_t) text[size - 1] & 0x80) != 0)
        text[--size] = '\0';
}

const char *lobby_setup_text(const struct lobby *lobby, const struct table *table)
{
    if (table->setup != NOBODY)
        return game_of(lobby, table)->setups[table->setup].text;
    return table->text == NOBODY ? "{}" : lobby_text_at(lobby, table->text);
}

const char *lobby_setup_options(const struct lobby *lobby, const struct table *table)
{
    if (table->text != NOBODY && table->options_size > 0)
        return lobby_text_at(lobby, table->text) + table->setup_size + 1;
    return table->setup == NOBODY ? NULL : game_of(lobby, table)->setups[table->setup].options;
}

/* Whether the options that were read last are those of a table for tests. */
static bool is_rigged(const struct value *options)
{
    const struct value *rigged = value_get(options, "rigged");
    return rigged != NULL && rigged->kind == VALUE_BOOL && rigged->number != 0;
}

/* Laid cards are for tests; who sits down at them in earnest must not have to find out by losing. */
static void judge_rigging(const struct lobby *lobby, const struct value *options,
                          struct table *table, struct complaints *complaints)
{
    table->rigged = is_rigged(options);
    if (table->rigged && !lobby->settings.allow_rigged)
        report(&complaints->faults, options, "rigged",
               "must be left out: nobody lays the cards in this house, unless its operator "
               "starts it with --allow-rigged.");
}

/* Reads and compiles into the one place there is; false: `complaints` say why. `told`: the options. */
static bool compile(struct lobby *lobby, const struct game *game, const char *text,
                    const char *options, const struct value **told, struct complaints *complaints)
{
    const struct lobby_helpers *helpers = lobby->settings.helpers;
    const struct value         *said = NULL;
    lobby->compiled_for = 0;
    arena_reset(&lobby->arena[0]);
    arena_reset(&lobby->arena[1]);
    const struct value *config =
        helpers->parse(text, text_length(text), &lobby->arena[0], &complaints->faults);
    if (options != NULL)
        said = helpers->parse(options, text_length(options), &lobby->arena[1], &complaints->faults);
    if (config == NULL || (options != NULL && said == NULL) || complaints->faults.count > 0) {
        if (complaints->faults.count == 0)
            report(&complaints->faults, NULL, NULL, "This is no JSON text.");
        return false;
    }
    *told = said;
    size_t size = game->configure(config, said, NULL, 0, &complaints->faults);
    if (complaints->faults.count > 0 || size == 0)
        return false;
    if (size > lobby->settings.setup_bytes) {
        report(&complaints->faults, NULL, NULL, "This set-up is too large for this lobby.");
        return false;
    }
    memset(lobby->compiled, 0, size);
    game->configure(config, said, lobby->compiled, size, &complaints->faults);
    return complaints->faults.count == 0;
}

const void *lobby_setup_of(struct lobby *lobby, uint32_t place)
{
    const struct table *table = table_of(lobby, place);
    if (lobby->compiled_for == table->serial)
        return lobby->compiled;
    struct complaints   complaints = complaints_of(lobby);
    const struct value *told = NULL;
    if (!compile(lobby, game_of(lobby, table)->game, lobby_setup_text(lobby, table),
                 lobby_setup_options(lobby, table), &told, &complaints))
        return NULL;
    lobby->compiled_for = table->serial;
    return lobby->compiled;
}

/* How many may sit, and whether the lobby can hold its registration. */
static void judge_seats(struct lobby *lobby, const struct game *game,
                        const Arbiter__Lobby__CreateTable *ask, struct table *table,
                        struct complaints *complaints)
{
    uint32_t least, most;
    game->seats(lobby->compiled, &least, &most);
    table->seats_min = least;
    table->seat_count = ask->has_seats ? ask->seats : most;
    if (table->seat_count < least || table->seat_count > most || most > SEATS_MAX) {
        fault_numbers(&complaints->faults, NULL, NULL, "The set-up seats ", least, " to ", most,
                      " players.");
        return;
    }
    struct bounds bounds;
    memset(&bounds, 0, sizeof bounds);
    game->bounds(lobby->compiled, table->seat_count, &bounds);
    const struct registration *desk = game->registration;
    if (desk != NULL &&
        (desk->state_bytes > lobby->settings.desk_bytes || bounds.event_words > SINK_WORDS))
        report(&complaints->faults, NULL, NULL, "This registration is too large for this lobby.");
}

static uint32_t find_game(const struct lobby *lobby, const Arbiter__Lobby__CreateTable *ask)
{
    for (uint32_t i = 0; i < lobby->settings.game_count && ask->game != NULL; i++) {
        const struct game *game = lobby->settings.games[i].game;
        bool is_version = !ask->has_rules_version || ask->rules_version == game->version;
        if (is_version && text_is(ask->game, text_length(ask->game), game->name))
            return i;
    }
    return NOBODY;
}

static uint32_t find_setup(const struct lobby_game *game, const char *name)
{
    for (uint32_t i = 0; i < game->setup_count; i++)
        if (text_is(name, text_length(name), game->setups[i].name))
            return i;
    return NOBODY;
}

/* Which set-up is meant: one that comes with the game, or the text in the ask. */
static const char *text_meant(struct lobby *lobby, struct asking *asking, struct table *table,
                              const char **options)
{
    const Arbiter__Lobby__CreateTable *ask = asking->ask->create_table;
    const struct lobby_game           *game = &lobby->settings.games[table->game];
    *options = ask->options;
    if (ask->setup != NULL && ask->setup_name == NULL) {
        text_copy(table->title, sizeof table->title, "");
        return ask->setup;
    }
    table->setup = ask->setup_name == NULL && game->setup_count > 0
                       ? 0
                       : find_setup(game, ask->setup_name == NULL ? "" : ask->setup_name);
    if (table->setup == NOBODY || ask->setup != NULL)
        return NULL;
    const struct lobby_setup *setup = &game->setups[table->setup];
    if (!text_copy(table->title, sizeof table->title, setup->title))
        text_copy(table->title, sizeof table->title, setup->name);
    if (*options == NULL)
        *options = setup->options;
    return setup->text;
}

bool lobby_setup_judge(struct lobby *lobby, struct asking *asking, struct table *table)
{
    const Arbiter__Lobby__CreateTable *ask = asking->ask->create_table;
    struct complaints                  complaints = complaints_of(lobby);
    const struct value                *told = NULL;
    const char                        *options;
    table->game = find_game(lobby, ask);
    table->setup = table->text = NOBODY;
    if (table->game == NOBODY) {
        lobby_refuse(asking, VERDICT(NO_SUCH_GAME));
        return false;
    }
    const struct game *game = lobby->settings.games[table->game].game;
    const char        *text = text_meant(lobby, asking, table, &options);
    size_t             size = text == NULL ? 0 : text_length(text);
    size += options == NULL ? 0 : text_length(options);
    if (text == NULL && ask->setup == NULL)
        report(&complaints.faults, NULL, NULL, "This house has no set-up of that name.");
    else if (text == NULL)
        report(&complaints.faults, NULL, NULL,
               "Name one of the game's set-ups, or send one, not both.");
    else if (size > LOBBY_TEXT_MAX)
        report(&complaints.faults, NULL, NULL, "Set-up and options may have 61440 bytes together.");
    else if (compile(lobby, game, text, options, &told, &complaints)) {
        judge_seats(lobby, game, ask, table, &complaints);
        judge_rigging(lobby, told, table, &complaints);
    }
    if (complaints.faults.count == 0)
        return true;
    end_well(complaints.text, complaints.used);
    lobby_refuse(asking, VERDICT(SETUP_FAULTY));
    asking->sentence = complaints.text;
    return false;
}
