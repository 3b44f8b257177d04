// outcome.ts: who has won a match of quests, as its last event says it.
import { signsOf, type Says } from '../../matchfile/outcome';

export const outcome: Says = (event, seats) => (event['game_over'] ? signsOf(event['game_over'].winners, seats) : null);
