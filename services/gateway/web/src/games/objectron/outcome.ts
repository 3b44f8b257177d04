// outcome.ts: who has won a match of objectron, as its last event says it; without a winner it is drawn.
import { signsOf, type Says } from '../../matchfile/outcome';

export const outcome: Says = (event, seats) => {
    const over = event['game_over'];
    if (!over) return null;
    return over.winner === undefined ? new Array<number>(seats).fill(0) : signsOf([over.winner], seats);
};
