// words.ts: what happens in objectron, a sentence each.
import { both, t, type Both } from '../../words/say';
import type { GameMessage } from '../../proto/game';
import type { Names } from '../face';
import { ITEMS } from './grid';

type Say = (what: GameMessage, names: Names) => string | null;
const by =
    (sentence: Both): Say =>
    (what, names) =>
        both(sentence, {
            p: names.name(what.player),
            o: names.name(what.owner ?? what.by),
            n: what.actions ?? what.lost ?? what.skip_turns ?? what.turns ?? 0,
            i: both(ITEMS[what.kind ?? ''] ?? ['', '']),
            x: (what.at?.x ?? what.to?.x ?? 0) + 1,
            y: (what.at?.y ?? what.to?.y ?? 0) + 1,
        });

// Why a turn or some actions of it are lost.
const LOST: Record<string, Both> = {
    REASON_DISC: ['hit by a disc', 'von einer Scheibe getroffen'],
    REASON_PENALTY: ['all its actions were lost before', 'alle Aktionen waren schon verloren'],
    REASON_GRENADE: ['a grenade', 'eine Granate'],
    REASON_UNPOWERED_START: ['no power where the turn began', 'kein Strom, wo der Zug begann'],
};
const because =
    (sentence: Both): Say =>
    (what, names) => {
        const why = LOST[what.reason ?? ''];
        return `${by(sentence)(what, names)}${why ? `: ${both(why)}` : ''}.`;
    };

const OUT: Record<string, Both> = {
    REASON_BOXED_IN: ['no way is open', 'kein Weg ist frei'],
    REASON_NO_MOVE: ['a turn without a move', 'ein Zug ohne Schritt'],
    REASON_DOUBLE_TRAP: ['caught by a field a second time', 'zum zweiten Mal in einem Feld gefangen'],
    REASON_RESIGNED: ['gave up', 'hat aufgegeben'],
};

export const SAYS: Record<string, Say> = {
    game_started: () => t('start'),
    turn_started: by(['It is {p}’s turn.', '{p} ist am Zug.']),
    turn_skipped: because(['{p} has to skip a turn', '{p} muss einen Zug aussetzen']),
    turn_ended: () => null,
    action_spent: () => null,
    trail_changed: () => null,
    power_moved: () => null,
    power_restored: () => null,
    expired: by(['{p}’s time ran out.', 'Die Zeit von {p} ist um.']),
    player_moved: by(['{p} moves to {x}, {y}.', '{p} zieht nach {x}, {y}.']),
    player_teleported: by(['A teleporter takes {p} to {x}, {y}.', 'Ein Teleporter bringt {p} nach {x}, {y}.']),
    penalty: because(['{p} loses {n} {n|action|actions}', '{p} verliert {n} {n|Aktion|Aktionen}']),
    turn_cut: by(['No power: the rest of {p}’s turn is lost.', 'Kein Strom: Der Rest des Zuges von {p} ist verloren.']),
    item_picked_up: by(['{p} picks up: {i}.', '{p} hebt auf: {i}.']),
    item_placed: by(['{p} puts down: {i}.', '{p} legt ab: {i}.']),
    grenade_armed: () =>
        both(['A grenade is armed, and not seen any more.', 'Eine Granate ist scharf und nicht mehr zu sehen.']),
    grenade_exploded: by(['A grenade explodes under {p}!', 'Eine Granate explodiert unter {p}!']),
    disc_thrown: by(['{p} throws a disc.', '{p} wirft eine Scheibe.']),
    player_hit: by(['{p} is hit and skips {n} {n|turn|turns}.', '{p} ist getroffen und setzt {n} {n|Zug|Züge} aus.']),
    flag_dropped: by(['The flag of {o} falls.', 'Die Flagge von {o} fällt.']),
    flag_captured: by(['{p} captures the flag of {o}!', '{p} erobert die Flagge von {o}!']),
    flag_returned: by(['The flag of {o} is home again.', 'Die Flagge von {o} ist wieder zu Hause.']),
    power_failed: by(['The power fails.', 'Der Strom fällt aus.']),
    force_field_created: () =>
        both(['A force field stands between two generators.', 'Zwischen zwei Generatoren entsteht ein Kraftfeld.']),
    force_field_switched: (what) =>
        both(
            what.on
                ? ['A force field goes on.', 'Ein Kraftfeld geht an.']
                : ['A force field goes off.', 'Ein Kraftfeld geht aus.'],
        ),
    force_field_removed: () => both(['A force field is gone.', 'Ein Kraftfeld ist weg.']),
    player_held: by(['A field holds {p}.', 'Ein Feld hält {p} fest.']),
    player_released: by(['{p} is free again.', '{p} ist wieder frei.']),
    player_eliminated: (what, names) => {
        const why = OUT[what.reason ?? ''];
        const who = both(['{p} is out of the game', '{p} ist aus dem Spiel'], { p: names.name(what.player) });
        return why ? `${who}: ${both(why)}.` : `${who}.`;
    },
    game_over: (what, names) =>
        what.winner === undefined
            ? both(['Nobody is left: a draw.', 'Niemand ist übrig: unentschieden.'])
            : both(['{p} wins!', '{p} gewinnt!'], { p: names.name(what.winner) }),
};

export function sentence(event: GameMessage, names: Names): string | null {
    for (const [kind, what] of Object.entries(event)) return SAYS[kind]?.(what, names) ?? null;
    return null;
}
