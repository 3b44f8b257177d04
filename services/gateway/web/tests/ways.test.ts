// ways.test.ts: a hunter's way is told as far as he was seen to go it, and no further.
import assert from 'node:assert/strict';
import test from 'node:test';
import { waysOf, type Seen } from '../src/games/treasure/ways';

const at = (seat: number, x: number, y: number): Seen => ({ seat, pos: { x, y } });

test('steps from field to neighbour are one way', () => {
    const way = waysOf([[at(0, 1, 1)], [at(0, 1, 1)], [at(0, 2, 1)], [at(0, 2, 2)], [at(0, 2, 1)]]).get(0)!;
    assert.deepEqual(way.seen, [
        [
            { x: 1, y: 1 },
            { x: 2, y: 1 },
            { x: 2, y: 2 },
            { x: 2, y: 1 },
        ],
    ]);
    assert.deepEqual(way.gaps, []);
});

test('where views were left out is a gap, and no way through fields between', () => {
    const way = waysOf([[at(1, 0, 0)], [at(1, 1, 0)], [at(1, 4, 2)], [at(1, 4, 3)], [at(1, 5, 4)]]).get(1)!;
    assert.deepEqual(way.seen, [
        [
            { x: 0, y: 0 },
            { x: 1, y: 0 },
        ],
        [
            { x: 4, y: 2 },
            { x: 4, y: 3 },
        ],
        [{ x: 5, y: 4 }],
    ]);
    assert.deepEqual(way.gaps, [
        [
            { x: 1, y: 0 },
            { x: 4, y: 2 },
        ],
        [
            { x: 4, y: 3 },
            { x: 5, y: 4 },
        ],
    ]);
});

test('a field left out stands for the first column or row, and what is guessed for nothing', () => {
    const ways = waysOf([
        [
            { seat: 0, pos: {} },
            { seat: 1, pos: { x: 3 }, isGuess: true },
        ],
        [
            { seat: 0, pos: { y: 1 } },
            { seat: 1, pos: { x: 4 } },
        ],
        [{ seat: 0 }],
    ]);
    assert.deepEqual(ways.get(0), { seen: [[{}, { y: 1 }]], gaps: [] });
    assert.deepEqual(ways.get(1), { seen: [[{ x: 4 }]], gaps: [] });
});
