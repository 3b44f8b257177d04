// setups.mjs: writes the list of set-ups that come with the games; each one itself is fetched when it is looked at.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findGames, out, wordsOf } from './games.mjs';

// What a set-up says, as a number: a match brings its set-up's text and no name, and the page looks the name up by it.
// A file that holds a table's options, too, has the set-up in `config`. The same function stands in src/proto/print.ts,
// and a test compares the two.
function print(text) {
    let hash = 0x811c9dc5;
    const file = JSON.parse(text);
    for (const letter of JSON.stringify(file.config ?? file))
        hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193);
    return hash >>> 0;
}

// A title stands in the texts beside the set-up, or among the words of its game.
function titleOf(words, setups, name) {
    const path = join(setups, `${name}.texts.json`);
    const texts = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    const languages = [...new Set([...Object.keys(texts), ...Object.keys(words)])];
    const titles = languages.map((language) => [language, texts[language]?.title ?? words[language]?.setups?.[name]]);
    return Object.fromEntries(titles.filter(([, title]) => title));
}

const list = [];
for (const { name: game, folder, setups } of findGames()) {
    const { words = {} } = wordsOf(folder);
    for (const file of setups ? readdirSync(setups).sort() : []) {
        if (!file.endsWith('.json') || file.endsWith('.texts.json')) continue;
        const name = file.slice(0, -'.json'.length);
        list.push({
            game,
            name,
            print: print(readFileSync(join(setups, file), 'utf8')),
            title: titleOf(words, setups, name),
        });
    }
}
mkdirSync(out, { recursive: true });
writeFileSync(
    join(out, 'setups.ts'),
    `// setups.ts: the set-ups that come with the games; written by build/setups.mjs.
export interface Listed { game: string; name: string; print: number; title: Readonly<Record<string, string>> }
export const SETUPS: readonly Listed[] = ${JSON.stringify(list, null, 4)};\n`,
);
