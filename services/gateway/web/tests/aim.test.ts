// aim.test.ts: what a click on the general board means, and what is chosen when it means nothing yet.
import assert from 'node:assert/strict';
import test from 'node:test';
import { aimsAt, commandAt } from '../src/games/general/aim';
import { settled } from '../src/games/general/chooser';
import type { WordsFile } from '../src/games/words';
import { Choices } from '../src/proto/legal';

const file: WordsFile = { fields: { heaps: 'piles', heap: { place: 'heaps' }, count: { amount: 'heaps' } } };
const choices = new Choices('nim', {
    patterns: [
        { kind: 'take', arguments: [{ values: ['0'] }, { values: ['1', '2', '3'] }] },
        { kind: 'take', arguments: [{ values: ['2'] }, { values: ['1'] }] },
    ],
});

test('a click that says every argument is a command', () => {
    assert.deepEqual(commandAt(file, choices, { list: 'heaps', place: 0, amount: 2 }), {
        kind: 'take',
        values: [0, 2],
    });
});

test('a click on what may not be done is none', () => {
    assert.equal(commandAt(file, choices, { list: 'heaps', place: 1, amount: 1 }), null);
    assert.equal(commandAt(file, choices, { list: 'heaps', place: 2, amount: 2 }), null);
    assert.equal(commandAt(file, choices, { list: 'others', place: 0, amount: 1 }), null);
    assert.equal(commandAt({}, choices, { list: 'heaps', place: 0, amount: 1 }), null);
});

test('a click that leaves an argument open is a wish, unless one value is left', () => {
    const onlyPlaces: WordsFile = { fields: { heap: { place: 'heaps' } } };
    assert.deepEqual(aimsAt(onlyPlaces, choices, { list: 'heaps', place: 0 }), [
        { kind: 'take', values: [0, undefined] },
    ]);
    assert.equal(commandAt(onlyPlaces, choices, { list: 'heaps', place: 0 }), null);
    assert.deepEqual(commandAt(onlyPlaces, choices, { list: 'heaps', place: 2 }), { kind: 'take', values: [2, 1] });
});

test('columns and rows of a grid are arguments, too', () => {
    const grid: WordsFile = { fields: { cells: { grid: 7 }, heap: { column: 'cells' }, count: { row: 'cells' } } };
    assert.deepEqual(commandAt(grid, choices, { list: 'cells', place: 7, column: 0, row: 1 }), {
        kind: 'take',
        values: [0, 1],
    });
});

test('what was chosen is kept as far as it may be', () => {
    assert.deepEqual(settled(choices, 'take', [0, 3]), [0, 3]);
    assert.deepEqual(settled(choices, 'take', [2, 3]), [2, 1]);
    assert.deepEqual(settled(choices, 'take', [1, 3]), [0, 3]);
    assert.deepEqual(settled(choices, 'take', []), [0, 1]);
});
