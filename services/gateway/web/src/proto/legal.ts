// legal.ts: what a seat may do, as boards ask for it: which values an argument may have, and the command of a choice.
//
// The house sends patterns: a kind of command, and for each of its arguments the values it may have; any combination
// of them is legal. Arguments are the fields of the command's message, in order. The page never asks whether
// something is allowed in any other way: it has no rules.
import { COMMANDS } from '../generated/commands';
import type { Legal, Pattern } from '../generated/browser';
import { kindOf, type GameMessage } from './game';

// A word that was not sent: what rules see where a field is left out.
const ABSENT = '-9223372036854775808';

export class Choices {
    constructor(
        readonly game: string,
        readonly legal: Legal | undefined,
    ) {}

    get any(): boolean {
        return this.patterns.length > 0 || this.legal?.proposal !== undefined;
    }
    get patterns(): readonly Pattern[] {
        return this.legal?.patterns ?? [];
    }
    kinds(): string[] {
        return [...new Set(this.patterns.map((pattern) => pattern.kind ?? ''))];
    }
    // Whether this may be done; arguments left undefined may be anything.
    has(kind: string, ...wanted: (number | undefined)[]): boolean {
        return this.patterns.some((pattern) => fits(pattern, kind, wanted));
    }
    // The values argument `at` may have, given those before it.
    values(kind: string, at: number, ...wanted: (number | undefined)[]): number[] {
        const all = new Set<number>();
        for (const pattern of this.patterns)
            if (fits(pattern, kind, wanted))
                for (const value of pattern.arguments?.[at]?.values ?? []) if (value !== ABSENT) all.add(Number(value));
        return [...all];
    }
    // Every choice of a kind, as its arguments; at most `most`, for there may be very many.
    all(kind: string, most = 200): number[][] {
        const list: number[][] = [];
        for (const pattern of this.patterns) if (pattern.kind === kind) combine(pattern, list, most);
        return list;
    }
    command(kind: string, ...values: (number | undefined)[]): GameMessage {
        return commandOf(this.game, kind, values);
    }
}

function fits(pattern: Pattern, kind: string, wanted: (number | undefined)[]): boolean {
    if (pattern.kind !== kind) return false;
    return wanted.every(
        (value, at) => value === undefined || (pattern.arguments?.[at]?.values ?? []).includes(String(value)),
    );
}

function combine(pattern: Pattern, list: number[][], most: number): void {
    let rows: number[][] = [[]];
    for (const argument of pattern.arguments ?? []) {
        const next: number[][] = [];
        for (const row of rows)
            for (const value of argument.values ?? []) if (next.length < most) next.push([...row, Number(value)]);
        rows = next;
    }
    for (const row of rows) if (list.length < most) list.push(row);
}

// Whether two commands say the same: the page's own numbers and the house's may be written differently.
export function isSame(a: GameMessage | null | undefined, b: GameMessage): boolean {
    return !!a && plain(a) === plain(b);
}
function plain(command: GameMessage): string {
    const kind = kindOf(command);
    const fields = Object.entries((command[kind] ?? {}) as GameMessage).map(
        ([name, value]) => `${name}=${String(value)}`,
    );
    return [kind, ...fields.sort()].join(' ');
}

// The Command of a game: one key, its kind, and in it the fields that were said.
export function commandOf(game: string, kind: string, values: (number | undefined)[]): GameMessage {
    const fields = COMMANDS[game]?.[kind] ?? [];
    const message: Record<string, unknown> = {};
    fields.forEach(([name, type], at) => {
        const value = values[at];
        if (value === undefined || String(value) === ABSENT || Number(value) <= -9e18) return;
        message[name] = type === 'bool' ? value !== 0 : type === 'number' ? value : type[String(value)];
    });
    return { [kind]: message };
}
