// aim.ts: what a click on the general board means: the commands whose arguments belong to what was clicked.
//
// words.json says of an argument that it is a place in a list, a column or a row of a grid, or an amount of what lies
// there. What a click says nothing about stays open, unless only one value is left.
import { COMMANDS } from '../../generated/commands';
import type { Choices } from '../../proto/legal';
import type { WordsFile } from '../words';

// Where somebody clicks: in this list of the view, at this place.
export interface Spot {
    list: string;
    place: number;
    column?: number;
    row?: number;
    amount?: number;
}
export interface Aim {
    kind: string;
    values: (number | undefined)[];
}

export function argumentsOf(game: string, kind: string): string[] {
    return (COMMANDS[game]?.[kind] ?? []).map(([name]) => name);
}

// What the spot says of this argument.
function said(file: WordsFile, name: string, spot: Spot): number | undefined {
    const kind = file.fields?.[name];
    if (typeof kind !== 'object') return undefined;
    if ('place' in kind && kind.place === spot.list) return spot.place;
    if ('column' in kind && kind.column === spot.list) return spot.column;
    if ('row' in kind && kind.row === spot.list) return spot.row;
    if ('amount' in kind && kind.amount === spot.list) return spot.amount;
    return undefined;
}

// Every command that a click there may mean and that may be done.
export function aimsAt(file: WordsFile, choices: Choices, spot: Spot): Aim[] {
    return choices.kinds().flatMap((kind) => {
        const values = argumentsOf(choices.game, kind).map((name) => said(file, name, spot));
        if (values.every((value) => value === undefined) || !choices.has(kind, ...values)) return [];
        for (const [n, value] of values.entries()) {
            const left = value === undefined ? choices.values(kind, n, ...values) : [];
            if (left.length === 1) values[n] = left[0];
        }
        return [{ kind, values }];
    });
}

// The one command that the click is; null if it leaves something open.
export function commandAt(file: WordsFile, choices: Choices, spot: Spot): Aim | null {
    const aims = aimsAt(file, choices, spot);
    const [aim] = aims;
    return aims.length === 1 && aim && aim.values.every((value) => value !== undefined) ? aim : null;
}
