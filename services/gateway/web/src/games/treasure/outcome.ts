// outcome.ts: who has won a treasure hunt, as its last event says it.
import type { Says } from '../../matchfile/outcome';

const SIGNS: Readonly<Record<string, readonly number[]>> = {
    RESULT_P1_WIN: [1, -1],
    RESULT_P2_WIN: [-1, 1],
    RESULT_BOTH_LOSE: [-1, -1],
    RESULT_ABORTED: [0, 0],
};

export const outcome: Says = (event) => SIGNS[event['game_end']?.result] ?? null;
