// tell.test.ts: sentences out of words.json, as common/games/README.md describes them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { Teller } from '../src/games/tell';
import type { WordsFile } from '../src/games/words';

declare const TEST_FOLDER: string;
const GAMES = join(TEST_FOLDER, '../../../../common/games');
const nim = JSON.parse(readFileSync(join(GAMES, 'nim/words.json'), 'utf8')) as WordsFile;
const name = (seat: number): string => ['Ada', 'Bob', 'Carl'][seat] ?? '?';
const in_ = (language: string, file: WordsFile = nim): Teller => new Teller(file, language, name);

test('the guide’s example says what the guide says it says', () => {
    const guide = readFileSync(join(GAMES, 'README.md'), 'utf8');
    const file = JSON.parse(/shortened one.*?```json\n(.*?)```/s.exec(guide)![1]!) as WordsFile;
    const event = { taken: { seat: 0, heap: 0, count: 2, left: 1 } };
    assert.equal(in_('en', file).sentence('events', event), 'Ada takes 2 from heap 1.');
    assert.ok(guide.includes('"Ada takes 2 from heap 1."'));
    assert.equal(in_('de', file).sentence('events', event), 'Ada takes 2 from heap 1.');
});

test('a command and an event are told in the language that was asked for', () => {
    const take = { take: { heap: 0, count: 3 } };
    assert.equal(in_('en').sentence('commands', take), 'Take 3 from heap 1');
    assert.equal(in_('de').sentence('commands', take), '3 von Haufen 1 nehmen');
    assert.equal(in_('fr').sentence('commands', take), 'Take 3 from heap 1');
    assert.equal(in_('de').sentence('events', { over: { winners: [0, 2] } }), 'Ada, Carl haben gewonnen.');
    assert.equal(in_('de').sentence('events', { over: { winners: [1] } }), 'Bob hat gewonnen.');
});

test('what has an empty sentence is not told', () => {
    assert.equal(in_('en').sentence('events', { turn: { seat: 1 } }), null);
});

test('without words the names in the .proto stand for them', () => {
    assert.equal(in_('en', {}).sentence('commands', { take: { heap: 1, count: 2 } }), 'take heap 1 count 2');
    assert.equal(
        in_('en', { fields: { heap: 'place' } }).sentence('commands', { take: { heap: 1, count: 2 } }),
        'take heap 2 count 2',
    );
    assert.equal(in_('en', {}).sentence('events', { game_over: { last_one: [] } }), 'game over');
    assert.equal(in_('en', {}).label('last_one'), 'last one');
});

test('the first row of the guide’s table that fits is the text', () => {
    const teller = in_('en', {
        fields: { who: 'seat', at: 'place', x: { column: 'cells' } },
        words: { en: { values: { at: { '0': 'home' }, way: { UP: 'up' } }, fields: { n: 'number' } } },
    });
    const rows: [string, unknown, string][] = [
        ['at', undefined, ''],
        ['at', [0, 1], 'home, 2'],
        ['at', 0, 'home'],
        ['who', 1, 'Bob'],
        ['x', 3, '4'],
        ['on', true, 'yes'],
        ['on', false, 'no'],
        ['way', 'UP', 'up'],
        ['way', 'DOWN', 'DOWN'],
        ['n', '18446744073709551615', '18446744073709551615'],
        ['m', { n: 1, at: 2 }, 'number 1 at 3'],
    ];
    for (const [field, value, text] of rows) assert.equal(teller.text(field, value), text, `${field} ${String(value)}`);
    assert.equal(in_('de', {}).text('on', true), 'ja');
});

test('forms are chosen by one, and a part goes with its fields', () => {
    const teller = in_('en', {
        fields: { row: 'place' },
        words: {
            en: {
                events: {
                    fell: '{n} {n|stone|stones} fell[ from {from.row}][ by {who}].',
                    over: 'Over.[ {winners} {winners|has|have} won.]',
                    on: 'It is {on|on|off}.',
                },
            },
        },
    });
    assert.equal(teller.sentence('events', { fell: { n: 1, from: { row: 2 } } }), '1 stone fell from 3.');
    assert.equal(teller.sentence('events', { fell: { n: 2, who: 'x' } }), '2 stones fell by x.');
    assert.equal(teller.sentence('events', { over: { winners: [] } }), 'Over.');
    assert.equal(teller.sentence('events', { over: { winners: [4] } }), 'Over. 4 has won.');
    assert.equal(teller.sentence('events', { on: { on: true } }), 'It is on.');
    assert.equal(teller.sentence('events', { on: {} }), 'It is off.');
});
