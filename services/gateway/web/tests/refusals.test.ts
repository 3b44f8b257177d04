// refusals.test.ts: whatever the house, the lobby, the door and the rules may refuse is said in English and in German.
//
// What there is to refuse is read where it stands: codes in the .proto files, sentences and the rules' reasons in C.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, test } from 'node:test';
import { findGames, wordsOf } from '../build/games.mjs';
import {
    answerWords,
    closingWords,
    REFUSALS,
    refusedWords,
    SAID,
    VERDICTS,
    whyNot,
    type Reasons,
} from '../src/words/refusals';
import { language } from '../src/words/say';

declare const TEST_FOLDER: string;
const ROOT = join(TEST_FOLDER, '../../../..');
const games = findGames(ROOT);
const reasonsOf = (folder: string): Reasons =>
    Object.fromEntries(
        Object.entries(wordsOf(folder).words ?? {}).map(([language, { refusals = {} }]) => [language, refusals]),
    );
const reasons = Object.fromEntries(games.map(({ name, folder }) => [name, reasonsOf(folder)]));
const { objectron, nim } = reasons;

afterEach(() => {
    language.value = 'en';
});

// The names of an enum of a .proto file.
function namesOf(file: string, name: string): string[] {
    const body =
        new RegExp(`^enum ${name} \\{([^}]*)\\}`, 'm').exec(readFileSync(join(ROOT, 'proto', file), 'utf8'))?.[1] ?? '';
    return [...body.matchAll(/^\s*([A-Z_0-9]+) = \d+;/gm)].map((found) => found[1]!);
}

// Every file below a folder, but those of tests and recordings, and of the page.
function* filesBelow(folder: string): Generator<string> {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (!entry.isDirectory()) yield path;
        else if (!['tests', 'conform', 'web'].includes(entry.name)) yield* filesBelow(path);
    }
}

// All C below a folder whose names begin so, without its comments; what stands there in two literals is one.
function sourceOf(folder: string, begin: string): string {
    const files = [...filesBelow(join(ROOT, folder))].filter(
        (path) => basename(path).startsWith(begin) && /\.[ch]$/.test(path),
    );
    return files
        .map((path) => readFileSync(path, 'utf8'))
        .join('\n')
        .replace(/\/\*[^]*?\*\//g, '')
        .replace(/"\s*\\?\n\s*"/g, '');
}

function isTold(one: readonly [string, string] | undefined): boolean {
    return one !== undefined && one.every((words) => words.length > 4) && one[0] !== one[1];
}

for (const [table, file, name, most] of [
    [REFUSALS, 'envelope.proto', 'Refusal', 15],
    [VERDICTS, 'lobby.proto', 'Verdict', 27],
] as const)
    test(`every ${name} is said in both languages`, () => {
        const names = namesOf(file, name);
        assert.ok(names.length >= most, `${names.length} names of ${name}`);
        assert.deepEqual(
            names.filter((one) => !isTold((table as Record<string, readonly [string, string]>)[one])),
            [],
        );
        assert.deepEqual(
            Object.keys(table).filter((one) => !names.includes(one)),
            [],
        );
    });

test('every sentence of the door, and every end of a table, is known in German', () => {
    const door = [
        ...sourceOf('services/gateway', 'browser').matchAll(/"(?:\\x[0-9a-f]{2})*([A-Z][^"\\]* [^"\\]*\.)"/g),
    ].map((found) => found[1]!);
    const lobby = sourceOf('services/lobby', 'lobby_');
    const ends = [
        ...lobby.matchAll(/lobby_close_table\([^;"]*"([^"]+)"/g),
        ...lobby.matchAll(/text_put\(&sentence, "([^"]+: )"\)/g),
    ].map((found) => found[1]!);
    // What only those hear who look after the house: some of it needs no words of its own.
    const care = [...(lobby + sourceOf('services/gateway', 'web_house')).matchAll(/"([A-Z][^"]* [^"]*\.)"/g)].map(
        (found) => found[1]!,
    );
    assert.ok(door.length >= 35 && ends.length >= 5, `${door.length} sentences, ${ends.length} ends`);
    assert.deepEqual(
        [...door, ...ends].filter((sentence) => !SAID[sentence]),
        [],
    );
    assert.deepEqual(
        Object.keys(SAID).filter((sentence) => ![...door, ...ends, ...care].includes(sentence)),
        [],
    );
});

test('games are found to have reasons', () => assert.ok(games.length >= 5));

for (const [game, { de: known = {} }] of Object.entries(reasons))
    test(`every reason of ${game} is known in German`, () => {
        const source = sourceOf(`common/games/${game}`, '');
        const macros = new Map([...source.matchAll(/#define (\w+) "([^"]+)"/g)].map((found) => [found[1]!, found[2]!]));
        const rows = [...source.matchAll(/\{[\s\\]*"(\w+)",\s*(?:"([^"]*)"|([A-Z]+)\s*\})/g)].map((found) => ({
            code: found[1]!,
            sentence: found[2] ?? macros.get(found[3]!) ?? '',
        }));
        // Other tables have words in pairs, too, but no sentences; and what is accepted has no reason.
        const all = rows.filter(({ code, sentence }) => code !== 'OK' && /[a-z] /.test(sentence));
        assert.ok(all.length >= 4, `${all.length} reasons`);
        assert.deepEqual(
            all.filter(({ code, sentence }) => !known[code] && !known[sentence]),
            [],
        );
        const isThere = (one: string) =>
            all.some(({ code }) => code === one) ||
            [one, one.replace(/\d/, '" stages "')].some((words) => source.includes(`"${words}"`));
        assert.deepEqual(
            Object.keys(known).filter((one) => !isThere(one)),
            [],
        );
    });

test('a page in German says what is refused in German, and a page in English as before', () => {
    const taken = {
        verdict: 'VERDICT_NAME_TAKEN',
        sentence: 'Somebody else has this name: choose another one.',
    } as const;
    assert.equal(answerWords(taken), taken.sentence);
    const wall = { played: { reason: 'WALL', sentence: 'There is a wall.' } };
    assert.equal(whyNot(wall, objectron), 'There is a wall.');
    language.value = 'de';
    assert.equal(answerWords(taken), 'Diesen Namen hat schon jemand: Wähle einen anderen.');
    assert.equal(whyNot(wall, objectron), 'Dort ist eine Wand.');
    assert.equal(
        refusedWords({ refusal: 'REFUSAL_NOT_YOURS', sentence: 'You do not sit there.' }),
        'Dort sitzt du nicht.',
    );
    assert.equal(closingWords('The match could not begin: no room'), 'Die Partie konnte nicht beginnen: no room');
});

test('of a code with several sentences the sentence decides', () => {
    language.value = 'de';
    const losing = {
        played: {
            reason: 'END_TURN_WARNING',
            sentence: 'Ending the turn now loses the game; confirm it if that is meant.',
        },
    };
    assert.match(whyNot(losing, objectron), /verliert das Spiel/);
});

test('where the house knows more than its code says, it is told behind it', () => {
    language.value = 'de';
    assert.equal(
        answerWords({ verdict: 'VERDICT_SETUP_FAULTY', sentence: 'heaps: none\nmisere: no such field' }),
        'Diesen Aufbau nimmt das Haus nicht:\nheaps: none\nmisere: no such field',
    );
    assert.equal(
        answerWords({ verdict: 'VERDICT_BANNED', sentence: 'The operator has banned you.' }),
        'Der Betreiber hat dich ausgeschlossen.',
    );
    assert.equal(
        answerWords({ verdict: 'VERDICT_BANNED', sentence: 'for shouting' }),
        'Der Betreiber hat dich ausgeschlossen. for shouting',
    );
});

test('English is the last resort, and silence none', () => {
    language.value = 'de';
    assert.equal(whyNot({ played: { reason: 'NEW', sentence: 'A rule of tomorrow.' } }, nim), 'A rule of tomorrow.');
    assert.equal(refusedWords({ refusal: 'REFUSAL_OF_TOMORROW' as never, sentence: 'Not yet.' }), 'Not yet.');
    assert.equal(
        refusedWords({ refusal: 'REFUSAL_FULL', sentence: 'A sentence of tomorrow.' }),
        REFUSALS.REFUSAL_FULL[1],
    );
    assert.notEqual(whyNot({ refused: {} }), '');
    assert.notEqual(whyNot({ closing: { sentence: '' } }), '');
    assert.equal(answerWords({ verdict: 'VERDICT_DONE' }), '');
});
