// setup.ts: a match's set-up and its texts: who the numbers in a view are, and what they are called.
import { language } from '../words/say';
import { print } from './print';
import { SETUPS, type Listed } from '../generated/setups';

// Set-ups for people stand in configs/NAME; a game that has none there brings its own.
const FILES = {
    ...import.meta.glob('../../../../../common/games/*/setups/*.json', { import: 'default' }),
    ...import.meta.glob('../../../../../configs/*/*.json', { import: 'default' }),
};

export interface Texts {
    title?: string;
    story?: string;
    goal?: string;
    colony?: string;
    // What places are called where the set-up's own name is of another language; and what one sees there.
    places?: Record<string, string>;
    locations?: Record<string, string>;
    characters?: Record<string, string>;
    cards?: Record<string, { title?: string; text?: string }>;
    crises?: Record<string, { title?: string; text?: string }>;
    crossroads?: Record<string, { title?: string; text?: string; yes?: string; no?: string }>;
}

export function setupsOf(game: string): Listed[] {
    return SETUPS.filter((one) => one.game === game);
}

async function file(game: string, name: string): Promise<unknown> {
    const ends = [`/configs/${game}/${name}.json`, `/games/${game}/setups/${name}.json`];
    const wanted = ends
        .map((end) => Object.keys(FILES).find((path) => path.endsWith(end)))
        .find((path) => path !== undefined);
    return wanted === undefined ? undefined : FILES[wanted]!();
}
// A file for tests holds the set-up beside what else a table says.
export async function setupFile(game: string, name: string): Promise<unknown> {
    const found = (await file(game, name)) as { config?: unknown } | undefined;
    return found?.config ?? found;
}
export async function textsFile(game: string, name: string, language: string): Promise<Texts> {
    const texts = (await file(game, `${name}.texts`)) as Record<string, Texts> | undefined;
    return texts?.[language] ?? texts?.['en'] ?? {};
}

// A match says its set-up as it was written, not by name: the one that says the same is it.
export function nameOf(game: string, setup: string): string | undefined {
    try {
        const wanted = print(setup);
        return setupsOf(game).find((one) => one.print === wanted)?.name;
    } catch {
        return undefined;
    }
}

// What a set-up is called, in the reader's language or in English.
export function titleOfSetup(setup: Listed | undefined): string | undefined {
    return setup?.title[language.value] ?? setup?.title['en'];
}
