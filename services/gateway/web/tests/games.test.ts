// games.test.ts: a game is a folder: the page finds it there, and names none in a list of its own.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import test from 'node:test';
import { findGames } from '../build/games.mjs';
import { GAMES } from '../src/generated/games';
import { SETUPS } from '../src/generated/setups';

declare const TEST_FOLDER: string;
const WEB = join(TEST_FOLDER, '..');
const ROOT = join(WEB, '../../..');
const names = findGames(ROOT).map((game) => game.name);

// A game's name as code has it: a string, a part of a path, or a key. Comments may speak of games.
function namedIn(text: string): string[] {
    const code = text.replace(/\/\*[^]*?\*\//g, '').replace(/(^|\s)\/\/[^\n]*/g, '$1');
    return names.filter((name) => new RegExp(`['"\`/]${name}['"\`/]|[{,\\s]${name}\\??:|\\.${name}\\b`).test(code));
}

// Every file of the page and of its build, without those of single games, and without what the build wrote.
function* files(folder: string): Generator<string> {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        const isOwn = entry.name === 'generated' || (names.includes(entry.name) && folder.endsWith('/games'));
        if (entry.isDirectory() && !isOwn) yield* files(path);
        else if (entry.isFile()) yield path;
    }
}

test('no file of the page or of its build names a game', () => {
    const all = [
        ...files(join(WEB, 'src')),
        ...files(join(WEB, 'build')),
        join(WEB, 'vite.config.ts'),
        join(WEB, 'package.json'),
    ];
    assert.ok(all.length > 60 && names.length >= 5, `${all.length} files, ${names.length} games`);
    const found = all.flatMap((path) =>
        namedIn(readFileSync(path, 'utf8')).map((name) => `${relative(WEB, path)}: ${name}`),
    );
    assert.deepEqual(found, []);
});

test('a name in a list, a path, a comparison or a table is seen, and one in a comment is not', () => {
    for (const line of [
        "const GAMES = ['nim'];",
        "import './nim/face';",
        "if (game === 'nim') return;",
        'const SAYS = { nim: 1 };',
        'SAYS.nim',
    ])
        assert.deepEqual(namedIn(line), ['nim'], line);
    assert.deepEqual(namedIn("// 'nim' is small.\nconst nimble = 1;"), []);
});

test('every game that the folders hold stands in the lobby, and has set-ups', () => {
    assert.deepEqual(
        GAMES.map((game) => game.id),
        names,
    );
    for (const name of names)
        assert.ok(
            SETUPS.some((one) => one.game === name),
            name,
        );
});

test('a folder makes a game, and one without messages of its own is an older version', () => {
    const top = mkdtempSync(join(tmpdir(), 'arbiter-games-'));
    const put = (path: string, text: string) => {
        mkdirSync(join(top, path, '..'), { recursive: true });
        writeFileSync(join(top, path), text);
    };
    put('common/games/sixth/sixth_wire.c', '');
    put('common/games/sixth/sixth.proto', '');
    put('common/games/sixth/sixth.h', '#define SIXTH_SEATS 5\n');
    put('common/games/sixth/sixth.c', '.seats_min = 2,\n.seats_max = SIXTH_SEATS,\n');
    put('common/games/sixth/setups/standard.json', '{}');
    put('common/games/sixth_1/sixth_1_wire.c', '');
    try {
        assert.deepEqual(
            findGames(top).map(({ name, seats, setups }) => [name, seats, setups]),
            [['sixth', [2, 5], join(top, 'common/games/sixth/setups')]],
        );
    } finally {
        rmSync(top, { recursive: true });
    }
});

test('the styles of the general board reach nothing else: a board of its own may be loaded beside it', () => {
    const styles = readFileSync(join(WEB, 'src/games/general/general.css'), 'utf8').replace(/\/\*[^]*?\*\//g, '');
    const selectors = [...styles.matchAll(/([^{};]+)\{/g)].flatMap((found) => found[1]!.split(','));
    const loose = selectors.map((one) => one.trim()).filter((one) => !/^(\.general\b|@media)/.test(one));
    assert.ok(selectors.length > 30);
    assert.deepEqual(loose, []);
});

test('an emblem is 48 by 48 and only drawn: it stands in the page as it is', () => {
    const drawn = findGames(ROOT).map(({ folder }) => join(folder, 'emblem.svg'));
    const texts = drawn.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8'));
    assert.ok(texts.length >= 6);
    for (const text of texts) {
        assert.match(text, /^<svg xmlns="[^"]*" viewBox="0 0 48 48">/);
        assert.doesNotMatch(text, /<(script|style|image|foreignObject)|href=|style=|\son\w+=/);
    }
});
