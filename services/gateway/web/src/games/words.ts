// words.ts: a game's words.json: what its fields are and what it says, by language. common/games/README.md describes
// it.

import { signsOf, type Says } from '../matchfile/outcome';

// What a field holds; in an object the name of a list or grid of the view that it belongs to.
export type FieldKind =
    | 'number'
    | 'seat'
    | 'turn'
    | 'winners'
    | 'in'
    | 'place'
    | 'piles'
    | 'per_seat'
    | 'hidden'
    | { readonly place: string }
    | { readonly column: string }
    | { readonly row: string }
    | { readonly amount: string }
    | { readonly grid: number | string; readonly of?: 'seat' };

type Texts = Readonly<Record<string, string>>;

// What is said in one language.
export interface Words {
    title?: string;
    about?: string;
    rules?: readonly string[];
    commands?: Texts;
    events?: Texts;
    fields?: Texts;
    values?: Readonly<Record<string, Texts>>;
    refusals?: Texts;
    setups?: Texts;
}

export interface WordsFile {
    play_now?: string;
    // Nothing is left to chance: never, or where the set-up says this.
    diceless?: boolean | string;
    fields?: Readonly<Record<string, FieldKind>>;
    words?: Readonly<Record<string, Words>>;
}

// The asked language is looked at first, then English.
export function wordOf<Found>(
    file: Pick<WordsFile, 'words'>,
    language: string,
    pick: (words: Words) => Found | undefined,
): Found | undefined {
    for (const one of [language, 'en']) {
        const words = file.words?.[one];
        const found = words && pick(words);
        if (found !== undefined) return found;
    }
    return undefined;
}

// Who has won, as an event says it: in a field that words.json calls `winners`.
export function winnersSaid(file: WordsFile): Says {
    return (event, seats) => {
        for (const fields of Object.values(event))
            for (const [field, value] of Object.entries(fields ?? {}))
                if (file.fields?.[field] === 'winners') return signsOf([value].flat().map(Number), seats);
        return null;
    };
}
