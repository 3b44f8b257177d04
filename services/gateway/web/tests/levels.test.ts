// levels.test.ts: each bot has the level that was chosen for it, and levels have names.
import assert from 'node:assert/strict';
import test from 'node:test';
import { GAMES } from '../src/generated/games';
import { callsOf, levelName, USUAL } from '../src/views/levels';

test('bots of one level that sit side by side are called at once, and the last call fills the table', () => {
    assert.deepEqual(callsOf([], 3), [{ policy: undefined }]);
    assert.deepEqual(callsOf([2, 2, 2], 3), [{ policy: 'level:2' }]);
    assert.deepEqual(callsOf([1, 1, USUAL, 4], 4), [
        { count: 2, policy: 'level:1' },
        { count: 1, policy: undefined },
        { policy: 'level:4' },
    ]);
    assert.deepEqual(callsOf([3, 1], 1), [{ policy: 'level:3' }]);
});

test('the levels of a game have different names, from the weakest to the strongest', () => {
    assert.ok(GAMES.some((game) => game.levels === 2) && GAMES.some((game) => game.levels === 4));
    for (const game of GAMES) {
        const names = Array.from({ length: game.levels }, (_, n) => levelName(game.id, n + 1));
        assert.equal(new Set(names).size, game.levels, game.id);
        if (game.levels > 0) assert.deepEqual([names[0], names.at(-1)], ['beginner', 'strong'], game.id);
    }
});
