// plain.tsx: the face of a game that has none: its view as rows, its events by their fields; played by the list of actions.
import type { GameMessage } from '../proto/game';
import { kindOf } from '../proto/game';
import { language } from '../words/say';
import type { BoardProps, Face } from './face';
import { winnersSaid, wordOf, type WordsFile } from './words';

function words(value: unknown): string {
    if (Array.isArray(value)) return value.map(words).join(', ');
    if (value !== null && typeof value === 'object')
        return Object.entries(value).map(([key, one]) => `${key.replace(/_/g, ' ')} ${words(one)}`).join(', ');
    return String(value);
}

export function spelled(message: GameMessage): string {
    const kind = kindOf(message);
    return `${kind.replace(/_/g, ' ')} ${words(message[kind])}`.trim();
}

function Board({ view }: BoardProps) {
    return (
        <table class="plainboard"><tbody>{Object.entries(view).map(([key, value]) => (
            <tr key={key}><th scope="row">{key.replace(/_/g, ' ')}</th><td>{words(value)}</td></tr>))}</tbody></table>
    );
}

export function plainFace(file: WordsFile): Face {
    return {
        Board, sentence: spelled, deed: spelled, isListed: true,
        outcome: winnersSaid(file),
        rules: () => wordOf(file, language.value, ({ rules }) => rules) ?? [],
        reasons: Object.fromEntries(Object.entries(file.words ?? {}).map(([one, { refusals = {} }]) => [one, refusals])),
    };
}
