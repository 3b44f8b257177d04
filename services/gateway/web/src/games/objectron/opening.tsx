// opening.tsx: what tells one set-up of objectron from another, and how many it is for.
import type { Opening } from '../face';
import { both } from '../../words/say';

export const opening: Opening = {
    facts: (setup) =>
        [
            both(setup.mode === 'race' ? ['race', 'Rennen'] : ['capture the flag', 'Flaggenraub']),
            both(['{n} players', '{n} Spieler'], { n: setup.players }),
            setup.width ? `${setup.width} × ${setup.height}` : '',
        ]
            .filter(Boolean)
            .join(' · '),
    seats: (setup) => [setup.players, setup.players],
};
