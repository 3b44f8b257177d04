// plain.tsx: the face of a game that has none: its view as rows, its events by their fields; played by the list of actions.
import type { GameMessage } from '../proto/game';
import { kindOf } from '../proto/game';
import type { BoardProps, Face } from './face';

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

export const plainFace: Face = { Board, sentence: spelled, deed: spelled, rules: [], isListed: true };
