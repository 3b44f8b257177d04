// match.test.ts: what a match does with what the house refuses: asks again where that helps, and says at last what
// was refused for good.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Down, Up } from '../src/generated/browser';
import type { Refusal } from '../src/generated/wire';
import { keepCode } from '../src/net/codes';
import { Match } from '../src/net/match';

const ID = 'AAECAwQFBgcICQoLDA0ODw==';
const no = (refusal: Refusal, sentence: string): Down => ({ refused: { refusal, sentence } });
const NOT_THERE = no('REFUSAL_NOT_YOURS', 'You do not sit there.');

// A door that answers as it is told, and keeps what it was asked.
function doorThat(answers: (up: Up) => Down) {
    const asked: Up[] = [];
    return {
        asked,
        waitMs: 0,
        send: () => true,
        ask: (up: Up) => {
            asked.push(up);
            return Promise.resolve(answers(up));
        },
    };
}

// A clock of its own: minutes pass at once.
const real = { setTimeout, clearTimeout };
let now = 0;
let timers: { at: number; call: () => void }[] = [];
async function pass(ms: number): Promise<void> {
    for (const end = now + ms; now < end; now += 25) {
        const due = timers.filter(({ at }) => at <= now);
        timers = timers.filter((one) => !due.includes(one));
        due.forEach(({ call }) => call());
        await new Promise((resolve) => {
            setImmediate(resolve);
        });
    }
}

beforeEach(() => {
    Object.assign(globalThis, {
        setTimeout: (call: () => void, ms = 0) => {
            const timer = { at: now + ms, call };
            timers.push(timer);
            return timer;
        },
        clearTimeout: (timer: unknown) => {
            timers = timers.filter((one) => one !== timer);
        },
    });
});
afterEach(() => {
    Object.assign(globalThis, real);
});

test('a seat that the house refuses for good is said to be refused', async () => {
    const door = doorThat(() => NOT_THERE);
    const match = new Match(ID, door, 0);
    match.begin();
    await pass(10_000);
    assert.equal(match.gone.value, NOT_THERE);
    assert.equal(door.asked.length, 5);
});

test('what the house cannot show just now is asked for until it can', async () => {
    const door = doorThat(() => no('REFUSAL_AGAIN', 'It cannot be shown yet.'));
    const match = new Match(ID, door, 0);
    match.begin();
    await pass(60_000);
    assert.equal(match.gone.value, null);
    assert.ok(door.asked.length > 8 && door.asked.length < 20, `${door.asked.length} looks in a minute`);
});

test('a seat that comes back after all is shown', async () => {
    const match = new Match(
        ID,
        doorThat(() => NOT_THERE),
        0,
    );
    match.begin();
    await pass(10_000);
    match.shown({ match_id: ID, number: '3' });
    assert.equal(match.gone.value, null);
});

test('who watches brings the code each time, and hears when he may not go on', async () => {
    const refused = no('REFUSAL_NOT_YOURS', 'The table is private: its code is needed to watch.');
    const door = doorThat(({ watch }) => (watch?.code === 'secret' ? {} : refused));
    const match = new Match(ID, door, undefined, 'secret');
    match.begin();
    match.shown({ match_id: ID, number: '3' });
    match.begin(); // The connection was lost, and is back.
    await pass(5000);
    assert.deepEqual(
        door.asked.map(({ watch }) => [watch?.code, watch?.after]),
        [
            ['secret', undefined],
            ['secret', '3'],
        ],
    );
    const uninvited = new Match('AAAA', door, undefined);
    uninvited.shown({ match_id: 'AAAA', number: '3' });
    uninvited.begin();
    await pass(5000);
    assert.equal(uninvited.gone.value, refused);
});

test('the code of a table one came to by its link is known to who watches its match', () => {
    const door = doorThat(() => ({}));
    keepCode('BBBB', 'kept');
    new Match('BBBB', door, undefined).begin();
    assert.equal(door.asked[0]?.watch?.code, 'kept');
});

test('what is over is not asked for, and its refusal is no news', async () => {
    const door = doorThat(() => no('REFUSAL_NO_SUCH_MATCH', 'The match is over, or not here any more.'));
    const match = new Match(ID, door, undefined);
    match.shown({ match_id: ID, number: '3' });
    match.setPace(0);
    match.ended({ over: { match_id: ID } });
    match.begin();
    await pass(10_000);
    assert.equal(match.gone.value, null);
    assert.deepEqual(
        door.asked.filter(({ watch }) => watch),
        [],
    );
});

// A seat whose board shows act 3, and may do something there.
function seated(door: ReturnType<typeof doorThat>): Match {
    const match = new Match(ID, door, 0);
    match.shown({ match_id: ID, number: '3', to_act: true });
    match.allowed({ match_id: ID, number: '3', patterns: [{ kind: 'step' }] });
    return match;
}
const plays = (door: ReturnType<typeof doorThat>) => door.asked.filter(({ play }) => play).length;

test('after a move nothing more is sent until the board and what may be done are newer', async () => {
    const door = doorThat(({ play }) => (play ? { played: { accepted: true, number: '4' } } : {}));
    const match = seated(door);
    let isDone = false;
    void match.play({ step: {} }).then((done) => {
        isDone = done;
    });
    await pass(100);
    assert.equal(await match.play({ step: {} }), false);
    match.shown({ match_id: ID, number: '3', to_act: true }); // An answer from before the move.
    await pass(100);
    assert.equal(await match.play({ step: {} }), false);
    match.shown({ match_id: ID, number: '5', to_act: true });
    assert.equal(await match.play({ step: {} }), false);
    assert.equal(plays(door), 1);
    assert.equal(isDone, false);
    match.allowed({ match_id: ID, number: '5', patterns: [{ kind: 'step' }] });
    await pass(100);
    assert.equal(isDone, true);
    void match.play({ step: {} });
    assert.equal(plays(door), 2);
});

test('whose turn it is not any more waits for no list, and the end waits for nothing', async () => {
    const door = doorThat(({ play }) => (play ? { played: { accepted: true, number: '4' } } : {}));
    for (const news of [
        (match: Match) => match.shown({ match_id: ID, number: '4' }),
        (match: Match) => match.ended({ over: { match_id: ID } }),
    ]) {
        const match = seated(door);
        void match.play({ step: {} });
        await pass(100);
        assert.equal(match.busy.value, true);
        news(match);
        assert.equal(match.busy.value, false);
    }
});

test('a refusal goes with the next view, and not with the same one again', async () => {
    const match = seated(doorThat(({ play }) => (play ? { played: { sentence: 'No.' } } : {})));
    for (const news of [
        () => match.shown({ match_id: ID, number: '4', to_act: true }),
        () => match.ended({ over: { match_id: ID } }),
    ]) {
        match.allowed({ match_id: ID, number: '9', patterns: [{ kind: 'step' }] });
        assert.equal(await match.play({ step: {} }), false);
        match.shown({ match_id: ID, number: String(match.number.value), to_act: true });
        assert.notEqual(match.refusal.value, null);
        news();
        assert.equal(match.refusal.value, null);
    }
});

const looks = (door: ReturnType<typeof doorThat>) => door.asked.filter(({ look }) => look).length;

test('of an act that brings view and list nothing is asked, and a move is one message', async () => {
    const door = doorThat(({ play }) => (play ? { played: { accepted: true, number: '4' } } : {}));
    const match = seated(door);
    void match.play({ step: {} });
    match.happened({ match_id: ID, number: '4' }, true);
    match.shown({ match_id: ID, number: '4' });
    match.happened({ match_id: ID, number: '5' }, true);
    match.shown({ match_id: ID, number: '5', to_act: true });
    match.allowed({ match_id: ID, number: '5', to_act: true, patterns: [{ kind: 'step' }] });
    await pass(10_000);
    assert.equal(match.busy.value, false);
    assert.equal(match.choices.value.any, true);
    assert.deepEqual([plays(door), looks(door)], [1, 0]);
});

test('view and list that do not come in time are asked for, once', async () => {
    const door = doorThat(() => ({}));
    const match = seated(door);
    match.happened({ match_id: ID, number: '4' }, true);
    await pass(900);
    assert.equal(looks(door), 0);
    await pass(300);
    assert.equal(looks(door), 1);
    match.shown({ match_id: ID, number: '4', to_act: true }); // The list is on its way still.
    await pass(1200);
    assert.equal(looks(door), 2);
    match.allowed({ match_id: ID, number: '4', to_act: true, patterns: [{ kind: 'step' }] });
    await pass(10_000);
    assert.equal(looks(door), 2);
});

test('who sits there now is asked for when a seat has another player', () => {
    const door = doorThat(() => ({}));
    const match = seated(door);
    match.happened({ match_id: ID, number: '4', events: [{ house: { seat_changed: { seat: 1 } } }] }, true);
    assert.equal(looks(door), 1);
});

test('a list that comes before it is known what is played is of that game', () => {
    const match = new Match(
        ID,
        doorThat(() => ({})),
        0,
    );
    match.allowed({ match_id: ID, number: '3', to_act: true, patterns: [{ kind: 'take' }] });
    match.shown({ match_id: ID, number: '3', to_act: true, match: { game: 'nim' } });
    assert.equal(match.choices.value.game, 'nim');
    assert.equal(match.choices.value.any, true);
});
