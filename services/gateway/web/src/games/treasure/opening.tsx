// opening.tsx: what tells one set-up of the treasure hunt from another.
import type { Opening } from '../face';
import { both } from '../../words/say';

export const opening: Opening = {
    facts: (setup) =>
        both(['two halves of {w} × {h} · at most {n} actions', 'zwei Hälften zu {w} × {h} · höchstens {n} Aktionen'], {
            w: setup.map?.half_width,
            h: setup.map?.half_height,
            n: setup.limits?.max_actions,
        }),
};
