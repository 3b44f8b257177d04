// face.tsx: how a game is shown that brings nothing of its own but its words: a general board, and sentences.
import { language, t } from '../../words/say';
import type { Face, Names } from '../face';
import { Teller } from '../tell';
import { winnersSaid, wordOf, type WordsFile } from '../words';
import { GeneralBoard, seatsSaid } from './board';

export function generalFace(file: WordsFile): Face {
    const teller = (names: Names) => new Teller(file, language.value, names.name);
    return {
        Board: (props) => <GeneralBoard file={file} {...props} />,
        sentence: (event, names) => teller(names).sentence('events', event),
        deed: (command, names) => teller(names).sentence('commands', command) ?? '',
        winners: (view) => {
            const winners = seatsSaid(file, view, 'winners') ?? [];
            return winners.length > 0 ? winners : null;
        },
        asked: (view, names) => {
            const turn = seatsSaid(file, view, 'turn')?.[0];
            if (turn === undefined) return null;
            return turn === names.seat ? t('your_turn') : t('turn_of', { name: names.name(turn) });
        },
        outcome: winnersSaid(file),
        hasDice: ({ setup }) =>
            typeof file.diceless === 'string'
                ? !Array.isArray((setup?.config ?? setup)?.[file.diceless])
                : file.diceless !== true,
        rules: () => wordOf(file, language.value, ({ rules }) => rules) ?? [],
        reasons: Object.fromEntries(
            Object.entries(file.words ?? {}).map(([one, { refusals = {} }]) => [one, refusals]),
        ),
    };
}
