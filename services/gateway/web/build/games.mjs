// games.mjs: finds the games: each folder of common/games that has rules and messages is one. No list names them.
//
//     generated/games.ts     what the lobby must know of each: title, one sentence, seats, the set-up of "Play now",
//                            and how many levels its bots have
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '../../../..');
export const out = join(here, '../src/generated');

// Its messages stand in its folder, or with all others. An older version of a game's rules, NAME_1, has none of its
// own.
function protoOf(top, name) {
    return [`common/games/${name}/${name}.proto`, `proto/${name}.proto`]
        .map((path) => join(top, path))
        .find(existsSync);
}

// A number as C writes it: itself, or a name that a header of the game defines, or one of what all games are made of.
function numberOf(text, folders) {
    if (/^\d+$/.test(text)) return Number(text);
    for (const folder of folders.filter(existsSync))
        for (const name of readdirSync(folder).filter((one) => one.endsWith('.h'))) {
            const found = new RegExp(`#define ${text} (\\d+)`).exec(readFileSync(join(folder, name), 'utf8'));
            if (found) return Number(found[1]);
        }
    throw new Error(`${folders[0]}: nobody says how many ${text} is`);
}

// How few and how many may sit stands in the table with which the rules end.
function seatsOf(folder) {
    const rules = readdirSync(folder).filter((name) => name.endsWith('.c'));
    for (const name of rules) {
        const text = readFileSync(join(folder, name), 'utf8');
        const [least, most] = ['min', 'max'].map((end) => new RegExp(`\\.seats_${end} = (\\w+)`).exec(text)?.[1]);
        if (least && most) return [least, most].map((one) => numberOf(one, [folder, join(folder, '../../rules')]));
    }
    throw new Error(`${folder}: no table says .seats_min and .seats_max`);
}

// How many levels its bots have; 0 where nobody thinks ahead.
function levelsOf(folder) {
    const ahead = readdirSync(folder).filter((name) => name.endsWith('_foresight.c'));
    const found = ahead.map((name) => /\.levels = (\d+)/.exec(readFileSync(join(folder, name), 'utf8'))?.[1]);
    return Number(found[0] ?? 0);
}

// What a game says for itself; {} where it says nothing.
export function wordsOf(folder) {
    const path = join(folder, 'words.json');
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

// Every game below `top`, by name: its folder, its messages, its set-ups.
export function findGames(top = root) {
    const games = join(top, 'common/games');
    return readdirSync(games, { withFileTypes: true })
        .filter((one) => one.isDirectory())
        .map((one) => one.name)
        .sort()
        .filter((name) => existsSync(join(games, name, `${name}_wire.c`)) && protoOf(top, name))
        .map((name) => ({
            name,
            folder: join(games, name),
            proto: protoOf(top, name),
            seats: seatsOf(join(games, name)),
            levels: levelsOf(join(games, name)),
            // Set-ups for people stand in configs/NAME, beside the texts to them; a game that has none there brings
            // its own.
            setups: [join(top, 'configs', name), join(games, name, 'setups')].find(existsSync),
        }));
}

// The few words that are needed before a match is opened.
function listed({ name, folder, seats, levels }) {
    const { play_now, diceless, words = {} } = wordsOf(folder);
    const few = Object.entries(words).map(([language, { title, about }]) => [language, { title, about }]);
    return {
        id: name,
        seats,
        levels,
        play_now,
        diceless: diceless === true || undefined,
        words: Object.fromEntries(few),
    };
}

export function writeGames() {
    mkdirSync(out, { recursive: true });
    writeFileSync(
        join(out, 'games.ts'),
        `// games.ts: the games there are; written by build/games.mjs.
export interface Listed {
    id: string;
    seats: readonly [number, number];
    levels: number; // Of its bots.
    diceless?: boolean; // Nothing is ever left to chance.
    play_now?: string;
    words: Readonly<Record<string, { title?: string; about?: string }>>;
}
export const GAMES: readonly Listed[] = ${JSON.stringify(findGames().map(listed), null, 4)};\n`,
    );
}
