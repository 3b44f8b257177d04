// words.test.ts: every game's words.json is held to its .proto, its set-ups, and its other languages.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { findGames, wordsOf, type Found } from '../build/games.mjs';
import { readProtos, resolve, type All, type Message } from '../build/proto.mjs';
import type { WordsFile } from '../src/games/words';

declare const TEST_FOLDER: string;
const ROOT = join(TEST_FOLDER, '../../../..');
const SIZE_MAX = 64 * 1024;
const KINDS = ['number', 'seat', 'turn', 'winners', 'in', 'place', 'piles', 'per_seat', 'hidden'];
const REFERENCES = ['place', 'column', 'row', 'amount'];

function messageOf(all: All, inside: Message, type: string): Message | undefined {
    return all.messages[resolve(all, inside, type) ?? ''];
}

// Whether the path leads from this message to a field.
function hasField(all: All, message: Message | undefined, path: string): boolean {
    const [first, ...rest] = path.split('.');
    const field = message?.fields.find((one) => one.name === first);
    return (
        !!message &&
        !!field &&
        (rest.length === 0 || hasField(all, messageOf(all, message, field.type), rest.join('.')))
    );
}

function sentenceFaults(all: All, root: Message, of: string, written: Readonly<Record<string, string>>): string[] {
    return Object.entries(written).flatMap(([kind, sentence]) => {
        const field = root.fields.find((one) => one.name === kind);
        if (!field) return [`${of}: there is no kind ${kind}`];
        const message = messageOf(all, root, field.type);
        const used = [...sentence.matchAll(/\{([^|}]*)/g)].map((found) => found[1]!);
        const plain = sentence.replace(/\{[\w.]+(\|[^|{}]*\|[^|{}]*)?\}/g, '').replace(/\[[^[\]]*\]/g, '');
        return [
            ...used
                .filter((path) => !hasField(all, message, path))
                .map((path) => `${of}: ${kind} has no field ${path}`),
            ...(/[{}[\]|]/.test(plain) ? [`${of}: the signs of ${kind} do not match`] : []),
        ];
    });
}

// The keys of every set-up, at its top: labels may be for them, too.
function setupKeys({ setups, folder }: Found): string[] {
    const folders = [setups, join(folder, 'setups')].filter((one): one is string => one !== undefined);
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as { config?: object };
    return folders.flatMap((one) =>
        readdirSync(one)
            .filter((name) => name.endsWith('.json'))
            .flatMap((name) => {
                const file = read(join(one, name));
                return Object.keys(file.config ?? file);
            }),
    );
}

function fieldFaults(all: All, game: Found, file: WordsFile): string[] {
    const own = Object.values(all.messages).filter((one) => one.package === `arbiter.${game.name}`);
    const names = new Set(own.flatMap((one) => one.fields.map((field) => field.name)));
    const view = new Set(own.find((one) => one.name === 'View')?.fields.map((field) => field.name));
    const kinds = Object.entries(file.fields ?? {}).flatMap(([name, kind]) => {
        if (!names.has(name)) return [`fields: no message has ${name}`];
        if (typeof kind === 'string')
            return KINDS.includes(kind) ? [] : [`fields: ${name} is ${kind}, which nobody knows`];
        const [[key, to] = ['', '']] = Object.entries(kind);
        if (REFERENCES.includes(key))
            return view.has(String(to)) ? [] : [`fields: ${name} leads to ${to}, which is not in the view`];
        return key === 'grid' && (typeof to === 'number' || names.has(String(to)))
            ? []
            : [`fields: ${name} says ${key}`];
    });
    const labels = [...names, ...setupKeys(game)];
    return [
        ...kinds,
        ...Object.values(file.words ?? {}).flatMap((words) =>
            [...Object.keys(words.fields ?? {}), ...Object.keys(words.values ?? {})]
                .filter((name) => !labels.includes(name))
                .map((name) => `no message and no set-up has ${name}`),
        ),
    ];
}

// Every key but those of refusals: the rules speak English themselves.
function keysOf(words: object, path = ''): string[] {
    return Object.entries(words).flatMap(([key, value]) =>
        key === 'refusals'
            ? []
            : typeof value === 'object' && value !== null
              ? keysOf(value as object, `${path}${key}/`)
              : [`${path}${key}`],
    );
}

function languageFaults(file: WordsFile): string[] {
    const keys = Object.entries(file.words ?? {}).map(([language, words]) => [language, keysOf(words)] as const);
    const all = new Set(keys.flatMap(([, own]) => own));
    return keys.flatMap(([language, own]) =>
        [...all].filter((key) => !own.includes(key)).map((key) => `${language} lacks ${key}`),
    );
}

function setupFaults({ setups = '', folder }: Found, file: WordsFile): string[] {
    const named = [
        file.play_now,
        ...Object.values(file.words ?? {}).flatMap((words) => Object.keys(words.setups ?? {})),
    ];
    const there = [setups, join(folder, 'setups')].flatMap((one) => readdirSync(one));
    return named
        .filter((name) => name !== undefined && !there.includes(`${name}.json`))
        .map((name) => `there is no set-up ${name}`);
}

export function faultsOf(game: Found, file: WordsFile): string[] {
    const shared = readdirSync(join(ROOT, 'proto'))
        .filter((name) => name.endsWith('.proto'))
        .map((name) => join(ROOT, 'proto', name));
    const all = readProtos([...new Set([...shared, game.proto])]);
    const [command, event] = ['Command', 'Event'].map((name) => all.messages[`arbiter.${game.name}.${name}`]!);
    const sentences = Object.entries(file.words ?? {}).flatMap(([language, words]) => [
        ...sentenceFaults(all, command!, `${language}/commands`, words.commands ?? {}),
        ...sentenceFaults(all, event!, `${language}/events`, words.events ?? {}),
    ]);
    return [...sentences, ...fieldFaults(all, game, file), ...languageFaults(file), ...setupFaults(game, file)];
}

const games = findGames(ROOT);
for (const game of games)
    test(`the words of ${game.name} fit its messages, its set-ups and each other`, () => {
        assert.deepEqual(faultsOf(game, wordsOf(game.folder)), []);
        assert.ok(statSync(join(game.folder, 'words.json')).size <= SIZE_MAX);
    });

test('what does not fit is found', () => {
    const nim = games.find((game) => game.name === 'nim')!;
    const bad: [WordsFile, RegExp][] = [
        [{ words: { en: { commands: { give: '' } } } }, /there is no kind give/],
        [{ words: { en: { events: { taken: '{seat} takes {counters}.' } } } }, /taken has no field counters/],
        [{ words: { en: { events: { taken: '{seat takes.' } } } }, /field seat takes\.|signs of taken/],
        [{ fields: { stone: 'seat' } }, /no message has stone/],
        [{ fields: { seat: 'sit' as never } }, /seat is sit/],
        [{ fields: { heap: { place: 'piles' } } }, /leads to piles/],
        [{ words: { en: { fields: { stone: 'Stone' } } } }, /no set-up has stone/],
        [{ words: { en: { title: 'Nim', about: 'A game.' }, de: { title: 'Nim' } } }, /de lacks about/],
        [{ play_now: 'none' }, /no set-up none/],
    ];
    for (const [file, fault] of bad) assert.match(faultsOf(nim, file).join('\n'), fault);
});
