// face.tsx: the treasure hunt as the page shows it.
import { both, t, type Both } from '../../words/say';
import type { OwnFace } from '../face';
import { Board } from './board';
import { outcome } from './outcome';
import { sentence } from './words';
import './treasure.css';

const WON: Record<string, readonly number[]> = { RESULT_P1_WIN: [0], RESULT_P2_WIN: [1] };
// Both may lose; what the house ended has nobody who did.
function winnersOf(result: string | undefined): readonly number[] | null {
    return result === undefined || result === 'RESULT_ABORTED' ? null : (WON[result] ?? []);
}

const WAYS: Record<string, Both> = {
    DIRECTION_UP: ['up', 'hinauf'],
    DIRECTION_DOWN: ['down', 'hinab'],
    DIRECTION_LEFT: ['left', 'nach links'],
    DIRECTION_RIGHT: ['right', 'nach rechts'],
};

export const face: OwnFace = {
    Board,
    outcome,
    sentence,
    isSecret: true,
    deed: (command) =>
        command['step']
            ? both(['Step {d}', 'Schritt {d}'], { d: both(WAYS[command['step'].direction] ?? ['', '']) })
            : command['leave']
              ? t('leave_match')
              : both(['Hand in a half', 'Eine Hälfte abgeben']),
    winners: (view) => winnersOf((view['spectator'] ?? view['player'])?.result),
    asked: (view, names) => {
        const turn = view['spectator']?.turn ?? view['player']?.turn;
        if (turn === undefined) return null;
        return turn === names.seat
            ? both(['Steer: where to?', 'Steuere: wohin?'])
            : t('turn_of', { name: names.name(turn) });
    },
    mark: (event) =>
        event['action_done'] && event['action_done'].action_id % 10 === 0
            ? String(event['action_done'].action_id)
            : null,
    isLoud: (event) =>
        ['treasure_sighted', 'treasure_collected', 'enemy_castle_sighted', 'game_end'].some((kind) => event[kind]),
};
