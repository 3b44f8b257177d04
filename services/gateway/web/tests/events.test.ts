// events.test.ts: whatever can happen in a game is told in every language, or left out on purpose.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findGames, wordsOf } from '../build/games.mjs';
import { readProtos, resolve, type All, type Message } from '../build/proto.mjs';
import { SAYS as dead } from '../src/games/dead/words';
import type { Names } from '../src/games/face';
import { SAYS as objectron } from '../src/games/objectron/words';
import { SAYS as quests } from '../src/games/quests/words';
import { SAYS as treasure } from '../src/games/treasure/words';
import { Lore } from '../src/games/dead/lore';
import type { GameMessage, Json } from '../src/proto/game';
import { language, type Language } from '../src/words/say';

declare const TEST_FOLDER: string;
const ROOT = join(TEST_FOLDER, '../../../..');
const LANGUAGES: readonly Language[] = ['en', 'de'];

const names: Names = {
    game: '',
    seats: 2,
    seat: 0,
    name: (seat) => (seat === 0 ? 'Ada' : 'Bob'),
    setup: {},
    options: {},
    texts: {},
};
type Say = (what: GameMessage) => string | null;
function told(of: Record<string, (what: GameMessage, names: Names) => string | null>): Record<string, Say> {
    return Object.fromEntries(Object.entries(of).map(([kind, say]) => [kind, (what) => say(what, names)]));
}
// Games with a face of their own.
const FACES: Record<string, Record<string, Say>> = {
    dead: Object.fromEntries(Object.entries(dead).map(([kind, say]) => [kind, (what) => say(what, new Lore(names))])),
    objectron: told(objectron),
    quests: told(quests),
    treasure: told(treasure),
};

function allOf(game: { proto: string }): All {
    const shared = readdirSync(join(ROOT, 'proto'))
        .filter((name) => name.endsWith('.proto'))
        .map((name) => join(ROOT, 'proto', name));
    return readProtos([...new Set([...shared, game.proto])]);
}

// A message with something in each of its fields; of an enumeration the value of this number, around and around.
function filled(all: All, message: Message, at: number, depth = 0): Json {
    return Object.fromEntries(
        message.fields.map((field) => {
            const name = resolve(all, message, field.type) ?? '';
            const inside = all.messages[name];
            const values = (all.enums[name]?.values ?? [])
                .map(([value]) => value)
                .filter((value) => !value.endsWith('UNSPECIFIED'));
            const one: Json = inside
                ? depth > 3
                    ? {}
                    : filled(all, inside, at, depth + 1)
                : values.length > 0
                  ? values[at % values.length]
                  : field.type === 'bool'
                    ? at % 2 === 0
                    : field.type === 'string'
                      ? 'word'
                      : 1;
            return [field.name, field.repeated ? [one] : one];
        }),
    );
}

for (const game of findGames(ROOT))
    test(`everything that happens in ${game.name} has words in each language`, () => {
        const all = allOf(game);
        const event = all.messages[`arbiter.${game.name}.Event`]!;
        const kinds = event.fields.map((field) => field.name);
        const says = FACES[game.name];
        assert.equal(existsSync(join(ROOT, 'services/gateway/web/src/games', game.name)), says !== undefined);
        if (!says) {
            for (const language of LANGUAGES)
                assert.deepEqual(
                    Object.keys(wordsOf(game.folder).words?.[language]?.events ?? {}).sort(),
                    [...kinds].sort(),
                );
            return;
        }
        assert.deepEqual(Object.keys(says).sort(), [...kinds].sort());
        for (const field of event.fields)
            for (let at = 0; at < 12; at++) {
                const what = filled(all, all.messages[resolve(all, event, field.type)!]!, at) as GameMessage;
                const [english, german] = LANGUAGES.map((one): string | null => {
                    language.value = one;
                    return says[field.name]!(what);
                });
                assert.equal(english === null, german === null, field.name);
                if (english === null) continue;
                assert.notEqual(english, german, field.name);
                for (const sentence of [english, german])
                    assert.doesNotMatch(sentence!, /undefined|NaN|\[object|^\W*$|[:,] *[.!]|[{}]|_/, field.name);
            }
    });
