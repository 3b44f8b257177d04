// sentences.test.ts: what happens in games with a face of their own, in so many words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence as dead } from '../src/games/dead/words';
import type { Names } from '../src/games/face';
import { sentence as objectron } from '../src/games/objectron/words';

const names = (edition?: string): Names => ({
    game: 'dead',
    seats: 2,
    seat: 0,
    name: (seat) => (seat === 0 ? 'Ada' : 'Bob'),
    setup: {},
    options: edition ? { edition } : {},
    texts: {},
});

test('the waste is told as each edition counts it', () => {
    assert.equal(dead({ waste_changed: { amount: 7 } }, names()), 'The waste: 7 now.');
    assert.equal(dead({ waste_changed: { amount: 1 } }, names('long')), 'The waste grows by 1.');
    assert.equal(dead({ waste_changed: { amount: -3 } }, names('long')), '3 less waste.');
});

test('who is out of objectron hears why', () => {
    const out = (reason?: string) => objectron({ player_eliminated: { player: 1, reason } }, names());
    assert.equal(out('REASON_BOXED_IN'), 'Bob is out of the game: no way is open.');
    assert.equal(out('REASON_NO_MOVE'), 'Bob is out of the game: a turn without a move.');
    assert.equal(out('REASON_DOUBLE_TRAP'), 'Bob is out of the game: caught by a field a second time.');
    assert.equal(out('REASON_RESIGNED'), 'Bob is out of the game: gave up.');
    assert.equal(out(), 'Bob is out of the game.');
});
