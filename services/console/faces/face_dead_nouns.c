/* face_dead_nouns.c: what places, people, cards, crises and fates of the dead are called. */
#include <inttypes.h>
#include <string.h>

#include "services/console/faces/face_dead.h"

static const struct saying nowhere = { { "somewhere", "irgendwo" } };
static const struct saying colony = { { "the colony", "Kolonie" } };

static void put_saying(const struct phrase *phrase, FILE *out, const struct saying *saying)
{
    phrase_text(phrase, out, saying->in[phrase->language]);
}

void dead_put_place(const struct phrase *phrase, FILE *out, word location)
{
    const struct dead_setup *setup = dead_setup_of(phrase);
    uint32_t                 index = dead_location_index(setup, location);
    if (index == DEAD_NONE) {
        put_saying(phrase, out, &nowhere);
    } else if (index == setup->colony) {
        const char *text = phrase_lookup(phrase, NULL, 0, "colony", NULL);
        phrase_text(phrase, out, text != NULL ? text : colony.in[phrase->language]);
    } else {
        const struct dead_location *place = dead_location(setup, index);
        const char                 *text = phrase_lookup(phrase, "places", location, NULL, NULL);
        if (text != NULL)
            phrase_text(phrase, out, text);
        else
            phrase_bytes(phrase, out, dead_name(setup, place->name_at), place->name_size);
    }
}

void dead_put_character(const struct phrase *phrase, FILE *out, word character)
{
    const struct dead_setup *setup = dead_setup_of(phrase);
    uint32_t                 index = dead_character_index(setup, character);
    if (index == DEAD_NONE) {
        fputs(phrase_say(phrase, "somebody", "jemand"), out);
        return;
    }
    const struct dead_character *who = dead_character(setup, index);
    phrase_bytes(phrase, out, dead_name(setup, who->name_at), who->name_size);
}

static void put_kind(const struct phrase *phrase, FILE *out, uint32_t kind)
{
    static const char *const names[] = {
        [DEAD_FOOD] = "food",           [DEAD_STUFF] = "stuff",
        [DEAD_MEDICINE] = "medicine",   [DEAD_FUEL] = "fuel",
        [DEAD_LOCK] = "lock",           [DEAD_SCISSORS] = "scissors",
        [DEAD_HAMMER] = "hammer",       [DEAD_SNOW_BOOTS] = "snow_boots",
        [DEAD_BLUEPRINT] = "blueprint", [DEAD_COLT] = "colt",
        [DEAD_SWAB] = "swab",
    };
    const char *title = phrase_lookup(phrase, "cards", 0, names[kind], "title");
    if (title != NULL)
        phrase_text(phrase, out, title);
    else
        put_saying(phrase, out, &dead_card_words[kind]);
}

void dead_put_card(const struct phrase *phrase, FILE *out, word card)
{
    const struct dead_setup *setup = dead_setup_of(phrase);
    uint32_t                 index = dead_card_index(setup, card);
    if (index == DEAD_NONE) {
        fputs(phrase_say(phrase, "a card", "eine Karte"), out);
        return;
    }
    const struct dead_card *found = dead_card(setup, index);
    put_kind(phrase, out, found->kind);
    if (found->kind == DEAD_FOOD)
        fprintf(out, " +%" PRIu32, found->amount);
    if (found->location != DEAD_NONE) {
        fputs(" (", out);
        dead_put_place(phrase, out, dead_location(setup, found->location)->id);
        fputc(')', out);
    }
}

static const struct dead_crisis *crisis_of(const struct dead_setup *setup, word id)
{
    for (uint32_t i = 0; i < setup->crises.count; i++)
        if (dead_crisis(setup, i)->id == id)
            return dead_crisis(setup, i);
    return NULL;
}

void dead_put_crisis(const struct phrase *phrase, FILE *out, word crisis)
{
    const struct dead_crisis *found = crisis_of(dead_setup_of(phrase), crisis);
    const char               *title = phrase_lookup(phrase, "crises", crisis, NULL, "title");
    if (title != NULL)
        phrase_text(phrase, out, title);
    else
        fprintf(out, "%s %" PRId64, phrase_say(phrase, "number", "Nummer"), crisis);
    if (found == NULL)
        return;
    fprintf(out, " (%" PRIu32 " ", found->required);
    phrase_text(phrase, out, "× ");
    put_kind(phrase, out, found->kind);
    phrase_text(phrase, out, phrase_say(phrase, ", or else morale −", ", sonst Moral −"));
    fprintf(out, "%" PRIu32 ")", found->moral_loss);
}

void dead_put_fate(const struct phrase *phrase, FILE *out, word fate)
{
    const char *title = phrase_lookup(phrase, "crossroads", fate, NULL, "title");
    const char *text = phrase_lookup(phrase, "crossroads", fate, NULL, "text");
    if (title == NULL)
        fprintf(out, "%s %" PRId64, phrase_say(phrase, "card", "Karte"), fate);
    else
        phrase_text(phrase, out, title);
    if (text != NULL) {
        phrase_text(phrase, out, " – ");
        phrase_text(phrase, out, text);
    }
}

static void put_there(const struct phrase *phrase, FILE *out, uint32_t location)
{
    fputs(", ", out);
    dead_put_place(phrase, out, dead_location(dead_setup_of(phrase), location)->id);
}

static void skill_of_kill(const struct phrase *phrase, FILE *out, const struct dead_character *who)
{
    static const struct saying kills[] = {
        { { "kills up to {n0} zombies", "erledigt bis zu {n0} Zombies" } },
        { { "kills a zombie", "erledigt einen Zombie" } },
    };
    static const struct saying costs[] = {
        { { " (no die; {l2})", " (ohne Würfel; {l2})" } },
        { { " (die {n1}+; {l2})", " (Würfel {n1}+; {l2})" } },
    };
    const word fields[] = { who->amount, who->die_value,
                            dead_location(dead_setup_of(phrase), who->location)->id };
    phrase_put(phrase, out, &kills[who->amount == 1], fields, 3);
    phrase_put(phrase, out, &costs[who->die_value > 0], fields, 3);
}

static void skill_of_wound(const struct phrase *phrase, FILE *out, const struct dead_character *who)
{
    fputs(phrase_say(phrase, "on the way: ", "unterwegs: "), out);
    put_saying(phrase, out, &dead_injury_words[who->before]);
    phrase_text(phrase, out, " → ");
    put_saying(phrase, out, &dead_injury_words[who->after]);
}

static void put_skill(const struct phrase *phrase, FILE *out, const struct dead_character *who)
{
    static const struct saying sayings[] = {
        [DEAD_ABILITY_HEAL] = { { "heals", "heilt" } },
        [DEAD_ABILITY_NO_INFECTION] = { { "is not bitten in a fight",
                                          "steckt sich im Kampf nicht an" } },
        [DEAD_ABILITY_FEED] = { { "brings {n0} food", "bringt {n0} Essen" } },
        [DEAD_ABILITY_TRASH] = { { "carries out {n0} waste", "bringt {n0} Müll hinaus" } },
        [DEAD_ABILITY_BARRICADE] = { { "builds {n0} barricades at an entrance, {t1} a turn",
                                       "baut {n0} Barrikaden an einem Eingang, {t1} im Zug" } },
        [DEAD_ABILITY_SEARCH] = { { "finds {n0} more", "findet {n0} mehr" } },
    };
    static const struct saying one = { { "builds a barricade, {t1} a turn",
                                         "baut eine Barrikade, {t1} im Zug" } };
    const word                 numbers[] = { who->amount, who->activations_max };
    bool                       is_one = who->ability == DEAD_ABILITY_BARRICADE && who->amount == 1;
    phrase_put(phrase, out, is_one ? &one : &sayings[who->ability], numbers, 2);
    if (who->ability == DEAD_ABILITY_SEARCH)
        put_there(phrase, out, who->location);
}

void dead_put_skill(const struct phrase *phrase, FILE *out, word character)
{
    const struct dead_setup *setup = dead_setup_of(phrase);
    uint32_t                 index = dead_character_index(setup, character);
    if (index == DEAD_NONE)
        return;
    const struct dead_character *who = dead_character(setup, index);
    if (who->ability == DEAD_ABILITY_KILL)
        skill_of_kill(phrase, out, who);
    else if (who->ability == DEAD_ABILITY_WOUND)
        skill_of_wound(phrase, out, who);
    else
        put_skill(phrase, out, who);
}

/* The place of a survivor, where the view is known. */
static word place_of(const struct phrase *phrase, word character)
{
    for (size_t i = 0; phrase->view != NULL && i < dead_seen(phrase)->n_survivors; i++)
        if (dead_seen(phrase)->survivors[i]->character_id == character)
            return dead_seen(phrase)->survivors[i]->location_id;
    return ABSENT;
}

static word colony_of(const struct phrase *phrase)
{
    return dead_location(dead_setup_of(phrase), dead_setup_of(phrase)->colony)->id;
}

void dead_put_field(const struct phrase *phrase, FILE *out, char letter, word value)
{
    switch (letter) {
    case 'c': dead_put_character(phrase, out, value); break;
    case 'l': dead_put_place(phrase, out, value); break;
    case 'L': dead_put_place(phrase, out, place_of(phrase, value)); break;
    case 'k': dead_put_card(phrase, out, value); break;
    case 'i': dead_put_crisis(phrase, out, value); break;
    case 'f': dead_put_fate(phrase, out, value); break;
    case 'S': dead_put_place(phrase, out, colony_of(phrase)); break;
    default: break;
    }
}
