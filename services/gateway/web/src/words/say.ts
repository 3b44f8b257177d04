// say.ts: the page's language, and its sentences out of the one table of words.
import { signal } from '@preact/signals';
import { keep, kept } from '../net/door';
import { WORDS, type Word } from './words';

export type Language = 'en' | 'de';

function first(): Language {
    const chosen = kept('arbiter.language');
    if (chosen === 'en' || chosen === 'de') return chosen;
    return typeof navigator !== 'undefined' && /^de\b/.test(navigator.language) ? 'de' : 'en';
}

export const language = signal<Language>(first());

export function speak(chosen: Language): void {
    language.value = chosen;
    keep('arbiter.language', chosen);
    document.documentElement.lang = chosen;
}

export type Fills = Record<string, string | number | undefined>;

// `{name}` in a sentence is filled in; `{n|one|many}` chooses by a number.
export function fill(sentence: string, fills: Fills = {}): string {
    return sentence.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name: string, one?: string, many?: string) => {
        const value = fills[name];
        if (one !== undefined) return Number(value) === 1 ? one : (many ?? '');
        return value === undefined ? '' : String(value);
    });
}

export function t(word: Word, fills?: Fills): string {
    return fill(WORDS[word][language.value === 'de' ? 1 : 0], fills);
}

// A sentence that a game brings along, in both languages.
export type Both = readonly [string, string];
export function both(sentence: Both, fills?: Fills): string {
    return fill(sentence[language.value === 'de' ? 1 : 0], fills);
}
