// route.test.ts: where an address leads, and how long a name may be.
import assert from 'node:assert/strict';
import test from 'node:test';
import { isTooLong } from '../src/ui/name';

const place = { hash: '#/join/a%2Fb?at=3' };
const heard: (() => void)[] = [];
Object.assign(globalThis, {
    location: place,
    window: { addEventListener: (_: string, hear: () => void) => heard.push(hear) },
    history: {
        replaceState: (_: null, __: string, to: string) => {
            place.hash = to;
        },
    },
});

test('an address leads somewhere, and a broken one nowhere', async () => {
    const { goInstead, route } = await import('../src/ui/route');
    assert.deepEqual([route.value.name, route.value.id, route.value.query.get('at')], ['join', 'a/b', '3']);
    place.hash = '#/join/50%';
    heard.forEach((hear) => hear());
    assert.deepEqual([route.value.name, route.value.id], ['broken', '']);
    goInstead('/replay/00');
    assert.deepEqual([route.value.name, route.value.id, place.hash], ['replay', '00', '#/replay/00']);
});

test('a name is as long as its bytes', () => {
    assert.equal(isTooLong('a'.repeat(32)), false);
    assert.equal(isTooLong('a'.repeat(33)), true);
    assert.equal(isTooLong(`${'ä'.repeat(16)} `), false);
    assert.equal(isTooLong(`${'ä'.repeat(16)}da`), true);
    assert.equal(isTooLong('🂡'.repeat(9)), true);
    assert.deepEqual([isTooLong('ä'.repeat(60), 120), isTooLong(`${'ä'.repeat(60)}x`, 120)], [false, true]);
});
