// seated.ts: who sits where when several people share this screen: names that they gave themselves. They stay on this
// device: the house knows one player there, with several seats.
import { signal } from '@preact/signals';
import { keep } from './door';
import { keptHere, keyHere } from './who';

const KEY = keyHere('arbiter.seated');
const MOST = 50;
const LETTERS_MOST = 24;

type Names = Readonly<Record<string, string>>;
type Lists = readonly (readonly [string, Names])[];

function read(): Lists {
    try {
        const said: unknown = JSON.parse(keptHere('arbiter.seated') ?? '[]');
        return Array.isArray(said) ? (said as Lists) : [];
    } catch {
        return [];
    }
}

const lists = signal<Lists>(read());

// `at`: a table's id or a match's. What was typed is no name before it has a letter.
export function nameAt(at: string, seat: number): string | undefined {
    const name = lists.value.find(([one]) => one === at)?.[1]?.[seat];
    return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}
export function namesAt(at: string): Names {
    return lists.value.find(([one]) => one === at)?.[1] ?? {};
}
function write(at: string, names: Names): void {
    lists.value = [...lists.value.filter(([one]) => one !== at), [at, names] as const].slice(-MOST);
    keep(KEY, JSON.stringify(lists.value));
}
export function callSeat(at: string, seat: number, name: string): void {
    write(at, { ...namesAt(at), [seat]: name.slice(0, LETTERS_MOST) });
}
// A match keeps the names that were given at its table.
export function takeAlong(table: string, match: string): void {
    if (Object.keys(namesAt(table)).length > 0 && namesAt(match) !== namesAt(table)) write(match, namesAt(table));
}
