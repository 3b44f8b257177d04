// legal.test.ts: patterns as the house sends them become choices, and choices become commands.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Choices, commandOf, isSame } from '../src/proto/legal';

const choices = new Choices('dead', {
    patterns: [
        { kind: 'move', arguments: [{ values: ['18', '13'] }, { values: ['2', '3'] }, { values: ['0'] }] },
        { kind: 'use_card', arguments: [{ values: ['113'] }, { values: ['18'] }, { values: ['13', '18'] }] },
        { kind: 'use_card', arguments: [{ values: ['101'] }] },
        { kind: 'end_turn' },
    ],
});

test('what is listed may be done, and nothing else', () => {
    assert.ok(choices.has('move', 13, 3));
    assert.ok(choices.has('move', undefined, 2));
    assert.ok(!choices.has('move', 13, 4));
    assert.ok(!choices.has('search'));
    assert.ok(choices.has('end_turn'));
});

test('the values of an argument follow those before it', () => {
    assert.deepEqual(choices.values('move', 1, 18), [2, 3]);
    assert.deepEqual(choices.values('use_card', 2, 113), [13, 18]);
    assert.deepEqual(choices.values('use_card', 2, 101), []);
    assert.deepEqual(choices.values('move', 1, 99), []);
});

test('every combination is listed once, up to a bound', () => {
    assert.equal(choices.all('move').length, 4);
    assert.equal(choices.all('move', 3).length, 3);
    assert.deepEqual(choices.all('use_card'), [[113, 18, 13], [113, 18, 18], [101]]);
});

test('a command has its fields by name, enums by theirs, and none that was not said', () => {
    assert.deepEqual(commandOf('dead', 'move', [18, 2, 0]), {
        move: { character_id: 18, location_id: 2, fuel: false },
    });
    assert.deepEqual(commandOf('dead', 'use_card', [101]), { use_card: { card_id: 101 } });
    assert.deepEqual(commandOf('quests', 'stage_add', [1]), { stage_add: { card: 'CARD_F5' } });
    assert.deepEqual(commandOf('quests', 'participate', [1]), { participate: { yes: true } });
    assert.deepEqual(commandOf('treasure', 'step', [undefined, 2]), { step: { direction: 'DIRECTION_DOWN' } });
    assert.deepEqual(commandOf('quests', 'end_turn', []), { end_turn: {} });
});

test('a command of the house is the one of a choice, however its numbers are written', () => {
    assert.ok(isSame({ drop: { column: 0 } }, { drop: { column: '0' } }));
    assert.ok(isSame({ take: { count: 2, heap: 1 } }, { take: { heap: 1, count: 2 } }));
    assert.ok(isSame({ end_turn: {} }, { end_turn: {} }));
    assert.ok(!isSame({ take: { heap: 1, count: 2 } }, { take: { heap: 1, count: 1 } }));
    assert.ok(!isSame({ end_turn: {} }, { search: {} }));
    assert.ok(!isSame(null, { end_turn: {} }));
});
