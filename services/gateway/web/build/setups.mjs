// setups.mjs: writes the list of set-ups that come with the games; each one itself is fetched when it is looked at.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../../..');
const out = join(here, '../src/generated');
const FOLDERS = { quests: 'configs/quests', dead: 'configs/dead', objectron: 'configs/objectron',
    treasure: 'configs/treasure', nim: 'common/games/nim/setups' };

// What a set-up says, as a number: a match brings its set-up's text and no name, and the page looks the name up by it.
// The same function stands in src/proto/print.ts, and a test compares the two.
function print(text) {
    let hash = 0x811c9dc5;
    for (const letter of JSON.stringify(JSON.parse(text))) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193);
    return hash >>> 0;
}

const list = [];
for (const [game, folder] of Object.entries(FOLDERS)) {
    for (const file of readdirSync(join(root, folder)).sort()) {
        if (!file.endsWith('.json') || file.endsWith('.texts.json')) continue;
        const name = file.slice(0, -5);
        const texts = join(root, folder, `${name}.texts.json`);
        const words = existsSync(texts) ? JSON.parse(readFileSync(texts, 'utf8')) : {};
        list.push({ game, name, print: print(readFileSync(join(root, folder, file), 'utf8')), title: { en: words.en?.title ?? '', de: words.de?.title ?? '' } });
    }
}
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'setups.ts'), `// setups.ts: the set-ups that come with the games; written by build/setups.mjs.
export interface Listed { game: string; name: string; print: number; title: { en: string; de: string } }
export const SETUPS: readonly Listed[] = ${JSON.stringify(list, null, 4)};\n`);
