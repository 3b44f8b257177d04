/* dead_explain_conform.c: see dead_explain_conform.h.
 *
 * Sections are those of the specification of the dead; README.md in the game's folder lists them. */
#include "games/dead/conform/dead_explain_conform.h"

#include <string.h>

#include "games/dead/dead.h"

static const struct {
    const char *name, *title;
} topics[DEAD_TOPICS] = {
    [DEAD_TOPIC_RULES] = { "rules", "Rules of the game" },
    [DEAD_TOPIC_ORDER] = { "order", "Order of the events" },
    [DEAD_TOPIC_DICE] = { "dice", "Dice and shuffled decks" },
    [DEAD_TOPIC_AUDIENCE] = { "audience", "Who hears what" },
    [DEAD_TOPIC_CLOCK] = { "clock", "Time running out" },
    [DEAD_TOPIC_VALIDATION] = { "validation", "What must be refused" },
    [DEAD_TOPIC_START] = { "start", "Start and exit codes" },
};

const char *dead_topic_name(enum dead_topic topic)
{
    return topics[topic].name;
}

const char *dead_topic_title(enum dead_topic topic)
{
    return topics[topic].title;
}

static const char *kind_of(const json_t *event)
{
    const char *kind = json_string_value(json_object_get(event, "ev"));
    return kind != NULL ? kind : "";
}

static const char *text_arg(const json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(json_object_get(event, "args"), key));
    return text != NULL ? text : "";
}

static bool is_one_of(const char *kind, const char *const *kinds)
{
    for (; *kinds != NULL; kinds++)
        if (strcmp(*kinds, kind) == 0)
            return true;
    return false;
}

static bool has(const json_t *events, const char *kind)
{
    size_t  i;
    json_t *event;
    json_array_foreach(events, i, event) if (strcmp(kind_of(event), kind) == 0) return true;
    return false;
}

/* Topics. */

/* The die that decides is not told; what comes of it is. */
static const char *const harms[] = { "Wounded", "Frostbitten", "Bitten", NULL };
static const char *const drawn[] = { "DieRolled", "Characters",   "CardDrawn", "Crisis",
                                     "Crossroad", "ChildSpawned", NULL };

static bool is_of_dice(const struct dead_gap *gap)
{
    const char *expected = kind_of(gap->expected), *came = kind_of(gap->came);
    bool        same = strcmp(expected, came) == 0;
    if (same)
        return is_one_of(expected, drawn) ||
               (strcmp(expected, "CharacterSpawned") == 0 && gap->expected != NULL);
    return (is_one_of(expected, harms) &&
            (is_one_of(came, harms) || strcmp(came, "ActNow") == 0)) ||
           (is_one_of(came, harms) && strcmp(expected, "ActNow") == 0) ||
           (strcmp(expected, "CardDrawn") == 0 && strcmp(came, "CharacterSpawned") == 0) ||
           (strcmp(came, "CardDrawn") == 0 && strcmp(expected, "CharacterSpawned") == 0);
}

static enum dead_topic topic_of(const struct dead_gap *gap)
{
    bool failed = strcmp(kind_of(gap->came), "CommandFailed") == 0;
    bool must_fail = strcmp(kind_of(gap->expected), "CommandFailed") == 0;
    if (gap->is_untimely || gap->step->kind == DEAD_PAUSE)
        return DEAD_TOPIC_CLOCK;
    if (gap->is_shuffled)
        return DEAD_TOPIC_ORDER;
    if (gap->others_heard || gap->is_of_others)
        return DEAD_TOPIC_AUDIENCE;
    if (gap->step->kind == DEAD_SILENCE && json_array_size(gap->before) == 0)
        return DEAD_TOPIC_CLOCK;
    if (gap->is_refused || failed != must_fail)
        return DEAD_TOPIC_VALIDATION;
    return is_of_dice(gap) ? DEAD_TOPIC_DICE : DEAD_TOPIC_RULES;
}

/* Paragraphs. */

struct paragraph {
    const char *key, *section, *sentence;
};

/* What an event is told for, wherever it is told. */
static const struct paragraph of_event[] = {
    { "Config", "5", "Who registers is sent the configuration file's text, unchanged." },
    { "RegistrationAborted", "5", "Any other command, or silence, breaks the registration off." },
    { "CommandFailed", "4", "CommandFailed goes to the sender alone, with a message." },
    { "GameStarted", "6", "The preparation begins with GameStarted." },
    { "Player", "6", "Player tells all of each player, by number, after GameStarted." },
    { "Characters", "3", "Each player in turn: shuffle the pool, offer its first four." },
    { "NextRound", "7", "A round begins with NextRound; the editions count differently." },
    { "Crisis", "7", "The crisis of the round is drawn after NextRound." },
    { "DieRolled", "7", "Each player rolls a die for each survivor and one more, in order." },
    { "ActNow", "4", "ActNow comes when a turn begins and after each own command in it." },
    { "Left", "8", "Leave: Left, then the player's survivors by descending status." },
    { "Moved", "8", "Move: Moved, then the infection die." },
    { "Barricaded", "8",
      "Barricade: a die or a hammer; a lock or an ability tells no Barricaded." },
    { "ZombieKilled", "8", "A zombie dies at the survivor's place; the die is spent first." },
    { "Searched", "8", "Search: the encounter is rolled first, then Searched is told." },
    { "CardDrawn", "8", "Search: one CardDrawn for each card; exactly one bonus applies." },
    { "ChildSpawned", "8", "Who is met in a search brings nextInt(4) children." },
    { "WasteChanged", "1", "Base tells the new total of waste, later editions the change." },
    { "Contributed", "8", "ContributeCard: the card must suit the crisis." },
    { "CardUsed", "8", "UseCard: CardUsed first, then what the card does." },
    { "AbilityUsed", "8", "UseAbility: AbilityUsed first, then what the ability does." },
    { "Wounded", "10.1", "The infection die: 6 to 8 is a wound." },
    { "Frostbitten", "10.1", "The infection die: 9 and 10 are a frostbite." },
    { "Bitten", "10.3", "A bite kills and spreads: children first, then the weakest." },
    { "SurvivorKilled", "10.2", "A death: the event, then MoralChanged, then a replacement." },
    { "ChildKilled", "10.4", "A zombie that finds no room in the colony kills a child first." },
    { "ColonyPhaseStarted", "12", "After the last turn of a round comes the colony phase." },
    { "StarvationTokenAdded", "12.1", "Too little food stays untouched and costs a token." },
    { "ZombieSpawned", "12.4", "Zombies come to the entrances in turn, the colony's first." },
    { "BarricadeDestroyed", "12.4", "A zombie without room breaks a barricade and is spent." },
    { "Crossroad", "11", "A fate card comes true after the events of a command that did it." },
    { "VoteNow", "11", "All players vote, in the order of their numbers." },
    { "VoteResult", "11", "A tie is for the first consequence." },
    { "GameEnd", "13", "The goal is judged after the zombies; nothing follows GameEnd." },
    { "FoodChanged", "12.1", "Food changes by a card, a meal, a survivor or a fate card." },
    { "MoralChanged", "10.2",
      "Morale changes by a death, hunger, waste, a crisis or a fate card." },
    { "CharacterSpawned", "10.2", "Who lost the last survivor gets the first of the pool." },
    { NULL, "4", "Nothing more is told of this." },
};

static const struct paragraph of_reason[] = {
    { "CHARACTER_DIED", "10.2", "Each death costs one morale." },
    { "CRISIS", "12.3", "A failed crisis costs morale; two cards to spare bring one." },
    { "STARVATION_TOKEN", "12.1", "Every starvation token, old and new, costs one morale." },
    { "WASTE", "12.2", "Every full ten of waste cost one morale." },
    { "CROSSROAD", "11", "A fate card changes food or morale." },
    { "FOOD_CONSUMED", "12.1", "The colony eats for half of its people, rounded up." },
    { "FOOD_ADDED", "8", "Food is added by a card, and in base by a survivor, too." },
    { NULL, NULL, NULL },
};

/* What a command that must fail, or must not, is about. */
static const struct paragraph of_command[DEAD_COMMAND_KINDS + 1] = {
    [0] = { "", "8", "What is no command fails, and changes nothing." },
    [DEAD_REGISTER] = { "", "5", "Nobody registers twice, or once the game has begun." },
    [DEAD_START_GAME] = { "", "5", "Registered clients may start; nobody may once it has begun." },
    [DEAD_SELECT_CHARACTERS] = { "", "6", "Two different ones of the four offered, once." },
    [DEAD_END_TURN] = { "", "8", "Only who is on turn ends it." },
    [DEAD_LEAVE] = { "", "8", "Leave is for the player on turn." },
    [DEAD_MOVE] = { "", "8", "Move: once a turn, to another place with room." },
    [DEAD_BARRICADE] = { "", "8", "Barricade: a die or an unused hammer, and a free place." },
    [DEAD_ATTACK] = { "", "8", "Attack: a die of at least the attack value, and a zombie." },
    [DEAD_SEARCH] = { "", "8", "Search: a die of at least the search value, and cards left." },
    [DEAD_CLEAN_WASTE] = { "", "8", "CleanWaste: in the colony, with a die and waste." },
    [DEAD_CONTRIBUTE_CARD] = { "", "8", "ContributeCard: in the hand, and of the crisis' kind." },
    [DEAD_USE_CARD] = { "", "8", "UseCard: each kind of card has its own form and target." },
    [DEAD_USE_ABILITY] = { "", "8", "UseAbility: so often a turn, where and on what it works." },
    [DEAD_VOTE] = { "", "11", "Only who is asked votes, and only then." },
};

static const struct paragraph *find(const struct paragraph *table, const char *key)
{
    while (table->key != NULL && strcmp(table->key, key) != 0)
        table++;
    return table;
}

/* Some events mean other things elsewhere. */
static const struct paragraph *special(const struct dead_gap *gap, const char *kind)
{
    static const struct paragraph
        chosen = { "", "6", "The two chosen, by ascending number, then five cards; all hear it." },
        met = { "", "8", "Search: who is met joins the colony, and no card is drawn." },
        fated = { "", "11", "Spawned survivors come by ascending number, then their children." },
        frost = { "", "7", "A turn begins with a wound for each frostbite." },
        zombies = { "", "11", "A fate card's zombies come as in the colony phase." },
        stuff = { "", "8", "UseCard, stuff: the smallest die is rolled again." },
        cleaned = { "", "8", "CleanWaste: at most 3 cards, 5 with a swab, or as TRASH says." };
    uint32_t command = gap->step->command.kind;
    bool     is_spawn = strcmp(kind, "CharacterSpawned") == 0;
    if ((is_spawn || strcmp(kind, "CardDrawn") == 0) && command == DEAD_SELECT_CHARACTERS)
        return &chosen;
    if (has(gap->before, "Crossroad") &&
        (strcmp(kind, "ZombieSpawned") == 0 || strcmp(kind, "BarricadeDestroyed") == 0))
        return &zombies;
    if (is_spawn && has(gap->before, "Crossroad"))
        return &fated;
    if (is_spawn && command == DEAD_SEARCH)
        return &met;
    if (strcmp(kind, "Wounded") == 0 && (command == DEAD_END_TURN || has(gap->before, "NextRound")))
        return &frost;
    if (strcmp(kind, "DieRolled") == 0 && command == DEAD_USE_CARD)
        return &stuff;
    return strcmp(kind, "WasteChanged") == 0 && command == DEAD_CLEAN_WASTE ? &cleaned : NULL;
}

static const struct paragraph *paragraph_of(const struct dead_gap *gap)
{
    static const struct paragraph silence = {
        "", "4", "The wait for a command begins anew with every command of anyone."
    };
    const json_t *event = gap->expected != NULL ? gap->expected : gap->came;
    const char   *kind = kind_of(event);
    bool          failed = strcmp(kind_of(gap->came), "CommandFailed") == 0;
    if (gap->is_untimely || gap->step->kind == DEAD_PAUSE ||
        (gap->step->kind == DEAD_SILENCE && strcmp(kind, "Left") != 0 &&
         json_array_size(gap->before) == 0))
        return &silence;
    if (strcmp(kind, "CommandFailed") == 0 || (failed && !gap->is_refused) ||
        (gap->is_refused && json_array_size(gap->before) == 0))
        return &of_command[gap->step->command.kind < DEAD_COMMAND_KINDS ? gap->step->command.kind
                                                                        : 0];
    const struct paragraph *there = special(gap, kind);
    if (there != NULL)
        return there;
    there = find(of_reason, text_arg(event, "reason"));
    return there->key != NULL ? there : find(of_event, kind);
}

struct dead_cause dead_explain(const struct dead_gap *gap)
{
    const struct paragraph *paragraph = paragraph_of(gap);
    return (struct dead_cause){ .topic = topic_of(gap),
                                .section = paragraph->section,
                                .sentence = paragraph->sentence };
}
