// opening.tsx: what tells one set-up of quests from another.
import type { Opening } from '../face';
import { both } from '../../words/say';

export const opening: Opening = {
    facts: (setup) =>
        both(['{s} shields win · {h} cards in hand', '{s} Schilde gewinnen · {h} Karten auf der Hand'], {
            s: setup.winning_shields ?? 7,
            h: setup.hand_limit ?? 12,
        }),
};
