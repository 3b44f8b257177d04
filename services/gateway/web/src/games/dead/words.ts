// words.ts: what happens in the dead, a sentence each.
import type { Event } from '../../generated/dead';
import { both, t, type Both } from '../../words/say';
import type { Names } from '../face';
import { Lore } from './lore';
import type { GameMessage } from '../../proto/game';

type Say = (what: GameMessage, lore: Lore) => string | null;

// {p} player, {c} character, {l} place, {e} entrance from 1, {k} card, {n} amount.
const by =
    (sentence: Both): Say =>
    (what, lore) =>
        both(sentence, {
            p: lore.names.name(what.player),
            c: lore.called(what.character_id),
            l: lore.place(what.location_id),
            e: (what.entrance ?? 0) + 1,
            k: lore.cardName(what.card_id),
            n: Math.abs(what.amount ?? what.value ?? what.round ?? 0),
        });

const MORAL: Record<string, Both> = {
    CHARACTER_DIED: ['a death', 'ein Todesfall'],
    CRISIS: ['the crisis', 'die Krise'],
    STARVATION_TOKEN: ['hunger', 'Hunger'],
    WASTE: ['the waste', 'der Müll'],
    CROSSROAD: ['fate', 'das Schicksal'],
};

export const SAYS: Record<string, Say> = {
    config: () => null,
    registration_aborted: () => both(['The match does not come about.', 'Die Partie kommt nicht zustande.']),
    player: () => null,
    card_drawn: by(['{p} draws {k}.', '{p} zieht {k}.']),
    act_now: () => null, // After each deed again; whose turn it is stands above the board, and is read out there.
    game_started: () => t('start'),
    command_failed: by(['{p} did not answer in time.', '{p} hat nicht rechtzeitig geantwortet.']),
    characters: () => both(['Four people offer to follow you.', 'Vier Leute wollen dir folgen.']),
    character_spawned: by(['{c} joins {p}.', '{c} schließt sich {p} an.']),
    next_round: (what, lore) => both(['Round {n} begins.', 'Runde {n} beginnt.'], { n: roundNumber(what.round, lore) }),
    crisis: (what, lore) => {
        const title = lore.crisis(what.crisis_id)?.title;
        return title
            ? both(['Crisis: {x}.', 'Krise: {x}.'], { x: title })
            : both(['A crisis draws near.', 'Eine Krise zieht auf.']);
    },
    die_rolled: by(['{p} rolls {n}.', '{p} würfelt {n}.']),
    left: by(['{p} is out of the match.', '{p} ist nicht mehr dabei.']),
    moved: by(['{c} goes to {l}.', '{c} geht nach {l}.']),
    barricaded: by(['{c} bars {l}, entrance {e}.', '{c} verbarrikadiert {l}, Eingang {e}.']),
    zombie_killed: by(['{c} kills a zombie at {l}, entrance {e}.', '{c} erledigt einen Zombie: {l}, Eingang {e}.']),
    searched: by(['{c} searches {l}.', '{c} durchsucht {l}.']),
    child_spawned: () => both(['A child has come to the colony.', 'Ein Kind ist in die Kolonie gekommen.']),
    waste_changed: (what, lore) => wasteWords(what.amount ?? 0, lore),
    contributed: by(['{p} gives {k} for the crisis.', '{p} gibt {k} für die Krise.']),
    card_used: (what, lore) =>
        both(
            what.character_id === undefined
                ? ['{k} is played.', '{k} wird ausgespielt.']
                : ['{c} uses {k}.', '{c} benutzt {k}.'],
            { c: lore.called(what.character_id), k: lore.cardName(what.card_id) },
        ),
    ability_used: (what, lore) =>
        both(['{c} {a}.', '{c} {a}.'], {
            c: lore.called(what.character_id),
            a: lore.ability(what.character_id) || both(['uses an ability', 'setzt eine Fähigkeit ein']),
        }),
    food_changed: (what) =>
        both(
            what.amount < 0
                ? ['{n} food is eaten.', '{n} Essen wird verbraucht.']
                : ['{n} food comes in.', '{n} Essen kommt dazu.'],
            { n: Math.abs(what.amount ?? 0) },
        ),
    moral_changed: (what) =>
        both(['Morale {n}: {why}.', 'Moral {n}: {why}.'], {
            n: (what.amount > 0 ? '+' : '−') + Math.abs(what.amount ?? 0),
            why: both(MORAL[what.reason] ?? ['', '']),
        }),
    wounded: by(['{c} is wounded.', '{c} wird verwundet.']),
    frostbitten: by(['{c} is frostbitten.', '{c} hat eine Erfrierung.']),
    bitten: by(['{c} is bitten and dies.', '{c} wird gebissen und stirbt.']),
    survivor_killed: by(['{c} dies.', '{c} stirbt.']),
    child_killed: () => both(['Zombies kill a child.', 'Zombies töten ein Kind.']),
    colony_phase_started: () => both(['Night falls over the colony.', 'Die Nacht senkt sich über die Kolonie.']),
    starvation_token_added: () => both(['There is not enough food.', 'Das Essen reicht nicht.']),
    zombie_spawned: by(['A zombie comes to {l}, entrance {e}.', 'Ein Zombie kommt: {l}, Eingang {e}.']),
    barricade_destroyed: by(['A barricade breaks at {l}, entrance {e}.', 'Eine Barrikade bricht: {l}, Eingang {e}.']),
    crossroad: (what, lore) => {
        const title = lore.names.texts.crossroads?.[String(what.crossroad_id)]?.title;
        return title
            ? both(['Fate: {x}', 'Schicksal: {x}'], { x: title })
            : both(['A fate card comes true.', 'Eine Schicksalskarte trifft ein.']);
    },
    vote_now: by(['{p} is asked for a vote.', '{p} wird um eine Stimme gebeten.']),
    vote_result: (what) =>
        both(
            what.answer
                ? ['The first way is chosen.', 'Der erste Weg ist gewählt.']
                : ['The second way is chosen.', 'Der zweite Weg ist gewählt.'],
        ),
    game_end: (what) =>
        both(
            what.win
                ? ['The colony has held out: all win!', 'Die Kolonie hat durchgehalten: Alle gewinnen!']
                : ['The colony is lost: all lose.', 'Die Kolonie ist verloren: Alle verlieren.'],
        ),
};

function isBase(lore: Lore): boolean {
    return lore.names.options?.edition === undefined || lore.names.options.edition === 'base';
}

// Base says how much waste there is now, the later editions by how much it changed.
function wasteWords(amount: number, lore: Lore): string {
    if (isBase(lore)) return both(['The waste: {n} now.', 'Der Müll: jetzt {n}.'], { n: amount });
    return both(
        amount > 0 ? ['The waste grows by {n}.', 'Der Müll wächst um {n}.'] : ['{n} less waste.', '{n} weniger Müll.'],
        { n: Math.abs(amount) },
    );
}

// Base counts rounds up, the later editions down to 1.
export function roundNumber(round: number | undefined, lore: Lore): number {
    return isBase(lore) ? (round ?? 0) : (lore.names.setup?.goal?.rounds ?? 0) - (round ?? 0) + 1;
}

export function sentence(event: Event, names: Names): string | null {
    const lore = new Lore(names);
    for (const [kind, what] of Object.entries(event)) return SAYS[kind]?.(what, lore) ?? null;
    return null;
}
