// words.ts: what happens in the treasure hunt, a sentence each.
import type { GameMessage } from '../../proto/game';
import { both, t, type Both } from '../../words/say';
import type { Names } from '../face';
import { reasonWords, resultWords } from './board';

type Say = (what: GameMessage, names: Names) => string | null;
const by =
    (sentence: Both): Say =>
    (what, names) =>
        both(sentence, {
            p: names.name(what.seat),
            n: what.action_id ?? 0,
            x: (what.x ?? 0) + 1,
            y: (what.y ?? 0) + 1,
        });

const FAULTS: Record<string, Both> = {
    FAULT_BAD_LENGTH: ['not as large as it must be', 'nicht so groß, wie sie sein muss'],
    FAULT_BAD_CODE: ['a sign that means nothing', 'ein Zeichen ohne Bedeutung'],
    FAULT_TREASURE_FORBIDDEN: ['a treasure in it', 'ein Schatz darin'],
    FAULT_CASTLE_COUNT: ['not one castle', 'nicht genau eine Burg'],
    FAULT_CASTLE_NOT_ON_GRASS: ['the castle stands not on grass', 'die Burg steht nicht auf Gras'],
    FAULT_TOO_FEW_MOUNTAIN: ['too few mountains', 'zu wenige Berge'],
    FAULT_TOO_FEW_GRASS: ['too little grass', 'zu wenig Gras'],
    FAULT_TOO_FEW_WATER: ['too little water', 'zu wenig Wasser'],
    FAULT_EDGE_WATER_TOP: ['too much water along the top', 'zu viel Wasser am oberen Rand'],
    FAULT_EDGE_WATER_BOTTOM: ['too much water along the bottom', 'zu viel Wasser am unteren Rand'],
    FAULT_EDGE_WATER_LEFT: ['too much water on the left', 'zu viel Wasser am linken Rand'],
    FAULT_EDGE_WATER_RIGHT: ['too much water on the right', 'zu viel Wasser am rechten Rand'],
    FAULT_ISLAND: ['land nobody can walk to', 'Land, zu dem niemand kommt'],
};

export const SAYS: Record<string, Say> = {
    // The board shows these, or whoever keeps the table.
    act_now: () => null,
    updated: () => null,
    enemy_position: () => null,
    player: () => null,
    watched: () => null,
    registration_aborted: () => both(['The match does not come about.', 'Die Partie kommt nicht zustande.']),
    half_accepted: by(['Your half of the map is good.', 'Deine Hälfte der Karte ist gut.']),
    half_rejected: (what) =>
        both(['Your half of the map is not valid: {x}', 'Deine Hälfte der Karte ist ungültig: {x}'], {
            x: (what.codes ?? []).map((code: string) => both(FAULTS[code] ?? ['?', '?'])).join(', '),
        }),
    map_ready: by(['The halves are joined.', 'Die Hälften sind verbunden.']),
    treasure_sighted: by(['You see your treasure at {x}, {y}!', 'Du siehst deinen Schatz bei {x}, {y}!']),
    treasure_collected: by([
        'You have your treasure. Now to the enemy’s castle!',
        'Du hast deinen Schatz. Jetzt zur Burg des Gegners!',
    ]),
    enemy_castle_sighted: by([
        'You see the enemy’s castle at {x}, {y}!',
        'Du siehst die Burg des Gegners bei {x}, {y}!',
    ]),
    game_started: () => t('start'),
    // What the public learns of an action is only that it was done: said of each tenth.
    action_done: (what) =>
        what.action_id % 10 === 0 ? both(['Action {n}.', 'Aktion {n}.'], { n: what.action_id }) : null,
    left: by(['{p} has left.', '{p} ist gegangen.']),
    game_end: (what, names) => `${resultWords(what.result, names.name)}: ${reasonWords(what.reason)}.`,
    reveal: by(['What was hidden is shown.', 'Das Verborgene wird gezeigt.']),
};

export function sentence(event: GameMessage, names: Names): string | null {
    for (const [kind, what] of Object.entries(event)) return SAYS[kind]?.(what, names) ?? null;
    return null;
}
