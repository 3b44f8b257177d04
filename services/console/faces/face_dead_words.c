/* face_dead_words.c: the sentences of the dead, in English and German (phrase.h and face_dead.h explain the places). */
#include "services/console/faces/face_dead.h"

const struct saying dead_event_words[DEAD_EVENT_KINDS] = {
    [DEAD_REGISTRATION_ABORTED] = { { "The registration was broken off",
                                      "Die Anmeldung wurde abgebrochen" } },
    [DEAD_COMMAND_FAILED] = { { "{p0} did not answer in time",
                                "{p0} hat nicht rechtzeitig geantwortet" } },
    [DEAD_GAME_STARTED] = { { "The match begins", "Die Partie beginnt" } },
    [DEAD_CHARACTERS] = { { "Two of these may be yours: {c0}, {c1}, {c2}, {c3}",
                            "Zwei davon können deine sein: {c0}, {c1}, {c2}, {c3}" } },
    [DEAD_CHARACTER_SPAWNED] = { { "{c1} joins {p0}", "{c1} schließt sich {p0} an" } },
    [DEAD_CARD_DRAWN] = { { "{p0} draws {k1}", "{p0} zieht {k1}" } },
    [DEAD_DIE_ROLLED] = { { "{p0} rolls {n1}", "{p0} würfelt {n1}" } },
    [DEAD_ACT_NOW] = { { "It is {p0}'s turn", "{p0} ist am Zug" } },
    [DEAD_LEFT] = { { "{p0} is out of the match", "{p0} ist nicht mehr dabei" } },
    [DEAD_MOVED] = { { "{c0} goes to {l1}", "{c0} geht nach „{l1}“" } },
    [DEAD_BARRICADED] = { { "{c0} bars {l1}, entrance {e2}",
                            "{c0} verbarrikadiert „{l1}“, Eingang {e2}" } },
    [DEAD_ZOMBIE_KILLED] = { { "{c0} kills a zombie: {l1}, entrance {e2}",
                               "{c0} erledigt einen Zombie: „{l1}“, Eingang {e2}" } },
    [DEAD_SEARCHED] = { { "{c0} searches {l1}", "{c0} durchsucht „{l1}“" } },
    [DEAD_CHILD_SPAWNED] = { { "A child comes to {S}", "Ein Kind kommt dazu" } },
    [DEAD_CONTRIBUTED] = { { "{p0} gives for the crisis: {k1}", "{p0} gibt für die Krise: {k1}" } },
    [DEAD_WOUNDED] = { { "{c0} is wounded", "{c0} wird verwundet" } },
    [DEAD_FROSTBITTEN] = { { "{c0} is frostbitten", "{c0} hat eine Erfrierung" } },
    [DEAD_BITTEN] = { { "{c0} is bitten and dies", "{c0} wird gebissen und stirbt" } },
    [DEAD_SURVIVOR_KILLED] = { { "{c0} dies", "{c0} stirbt" } },
    [DEAD_CHILD_KILLED] = { { "A child dies", "Ein Kind stirbt" } },
    [DEAD_COLONY_PHASE_STARTED] = { { "All have played: {S} eats, and night falls",
                                      "Alle haben gespielt: gegessen wird, und es wird Nacht" } },
    [DEAD_STARVATION_TOKEN_ADDED] = { { "There was not enough food: hunger grows",
                                        "Das Essen hat nicht gereicht: der Hunger wächst" } },
    [DEAD_ZOMBIE_SPAWNED] = { { "Zombies come: {l0}, entrance {e1}",
                                "Zombies kommen: „{l0}“, Eingang {e1}" } },
    [DEAD_BARRICADE_DESTROYED] = { { "A zombie breaks a barricade: {l0}, entrance {e1}",
                                     "Ein Zombie durchbricht eine Barrikade: „{l0}“, Eingang "
                                     "{e1}" } },
    [DEAD_CROSSROAD] = { { "Fate: {f0}", "Schicksal: {f0}" } },
    [DEAD_VOTE_NOW] = { { "{p0} is asked for a vote", "{p0} wird um eine Stimme gebeten" } },
};

const struct saying dead_more_words[DEAD_EVENT_KINDS] = {
    [DEAD_CARD_DRAWN] = { { ", {k1}", ", {k1}" } },
    [DEAD_DIE_ROLLED] = { { ", {n1}", ", {n1}" } },
    [DEAD_ZOMBIE_SPAWNED] = { { "; {l0}, {e1}", "; „{l0}“, {e1}" } },
};

const struct saying dead_deed_words[DEAD_COMMAND_KINDS] = {
    [DEAD_REGISTER] = { { "Register", "Anmelden" } },
    [DEAD_START_GAME] = { { "Begin", "Beginnen" } },
    [DEAD_SELECT_CHARACTERS] = { { "Choose your two survivors", "Wähle deine zwei Überlebenden" } },
    [DEAD_END_TURN] = { { "End the turn", "Den Zug beenden" } },
    [DEAD_LEAVE] = { { "Leave the match for good; your survivors die",
                       "Die Partie endgültig verlassen; deine Überlebenden sterben" } },
    [DEAD_MOVE] = { { "{c0} walks to", "{c0} geht nach" } },
    [DEAD_BARRICADE] = { { "{c0} builds a barricade", "{c0} baut eine Barrikade" } },
    [DEAD_ATTACK] = { { "{c0} attacks a zombie", "{c0} greift einen Zombie an" } },
    [DEAD_SEARCH] = { { "{c0} searches {L0}", "{c0} durchsucht „{L0}“" } },
    [DEAD_CLEAN_WASTE] = { { "{c0} carries waste out", "{c0} bringt Müll hinaus" } },
    [DEAD_CONTRIBUTE_CARD] = { { "Give a card for the crisis", "Eine Karte für die Krise geben" } },
    [DEAD_USE_CARD] = { { "{c1} uses {k0}", "{c1} benutzt {k0}" } },
    [DEAD_USE_ABILITY] = { { "{c0} uses a skill", "{c0} nutzt die Fähigkeit" } },
    [DEAD_VOTE] = { { "Vote", "Abstimmen" } },
};

const struct saying dead_choice_words[DEAD_COMMAND_KINDS] = {
    [DEAD_SELECT_CHARACTERS] = { { "{c0} and {c1}", "{c0} und {c1}" } },
    [DEAD_MOVE] = { { "{l1}", "{l1}" } },
    [DEAD_BARRICADE] = { { "{L0}, entrance {e1}", "{L0}, Eingang {e1}" } },
    [DEAD_ATTACK] = { { "{L0}, entrance {e1}", "{L0}, Eingang {e1}" } },
    [DEAD_CONTRIBUTE_CARD] = { { "{k0}", "{k0}" } },
};

const struct saying dead_food_words[4] = {
    [DEAD_FOOD_ADDED] = { { "Food {s0}", "Essen {s0}" } },
    [DEAD_FOOD_CONSUMED] = { { "{S} eats: food {s0}", "Alle essen: Essen {s0}" } },
    [DEAD_FOOD_CROSSROAD] = { { "By fate: food {s0}", "Schicksal: Essen {s0}" } },
};

const struct saying dead_moral_words[6] = {
    [DEAD_MORAL_CHARACTER_DIED] = { { "Morale {s0}: somebody has died",
                                      "Moral {s0}: jemand ist gestorben" } },
    [DEAD_MORAL_CRISIS] = { { "Morale {s0}: the crisis", "Moral {s0}: die Krise" } },
    [DEAD_MORAL_STARVATION_TOKEN] = { { "Morale {s0}: hunger", "Moral {s0}: Hunger" } },
    [DEAD_MORAL_WASTE] = { { "Morale {s0}: the waste", "Moral {s0}: der Müll" } },
    [DEAD_MORAL_CROSSROAD] = { { "Morale {s0}: fate", "Moral {s0}: Schicksal" } },
};

/* Where a set-up brings no titles of its own. */
const struct saying dead_card_words[DEAD_SWAB + 1] = {
    [DEAD_FOOD] = { { "food", "Essen" } },
    [DEAD_STUFF] = { { "odds and ends", "Krimskrams" } },
    [DEAD_MEDICINE] = { { "medicine", "Medizin" } },
    [DEAD_FUEL] = { { "fuel", "Treibstoff" } },
    [DEAD_LOCK] = { { "padlock", "Schloss" } },
    [DEAD_SCISSORS] = { { "scissors", "Schere" } },
    [DEAD_HAMMER] = { { "hammer", "Hammer" } },
    [DEAD_SNOW_BOOTS] = { { "snow boots", "Schneestiefel" } },
    [DEAD_BLUEPRINT] = { { "blueprint", "Grundriss" } },
    [DEAD_COLT] = { { "colt", "Colt" } },
    [DEAD_SWAB] = { { "mop", "Mopp" } },
};

const struct saying dead_injury_words[3] = {
    [DEAD_WOUND] = { { "a wound", "Wunde" } },
    [DEAD_FROSTBITE] = { { "frostbite", "Erfrierung" } },
    [DEAD_BITE] = { { "a bite", "Biss" } },
};
