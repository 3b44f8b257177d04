// tables.test.ts: what is said at a table changes what is known of it, and set-ups are found again by what they say.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { SETUPS } from '../src/generated/setups';
import { base64Of, hexOf } from '../src/net/ids';
import { apply, seen } from '../src/net/tables';
import { readMetrics } from '../src/views/metrics';
import { once, withCount } from '../src/views/once';
import { hears, replayOf } from '../src/views/replay_read';

declare const TEST_FOLDER: string;
const ada = { player: 'YWRh', name: 'Ada' };
const empty = seen({ table: 'dA==', seats: [{ seat: 0 }, { seat: 1 }], phase: 'PHASE_OPEN' });

test('somebody sits down, changes seats, gets up', () => {
    const sat = apply(empty, { seated: { seat: 0, player: ada } });
    assert.equal(sat.table.seats?.[0]?.player?.name, 'Ada');
    const moved = apply(sat, { seated: { seat: 1, player: ada, from: 0 } });
    assert.deepEqual(
        moved.table.seats?.map((seat) => seat.player?.name),
        [undefined, 'Ada'],
    );
    const left = apply(moved, { left: { seat: 1, player: ada.player } });
    assert.deepEqual(
        left.table.seats?.map((seat) => seat.player),
        [undefined, undefined],
    );
    assert.equal(empty.table.seats?.[0]?.player, undefined);
});

test('who has sat here keeps his name when he speaks standing', () => {
    const sat = apply(empty, { seated: { seat: 0, player: ada } });
    const left = apply(sat, { left: { seat: 0, player: ada.player } });
    assert.deepEqual(left.names, { YWRh: 'Ada' });
});

test('a match begins and ends, with a rematch asked for', () => {
    const begun = apply(empty, { match_begins: { match_id: 'bQ==' } });
    assert.equal(begun.table.phase, 'PHASE_PLAYING');
    assert.equal(begun.table.match_id, 'bQ==');
    const ended = apply(begun, { match_ended: { asks_rematch: [ada] } });
    assert.equal(ended.table.phase, 'PHASE_OVER');
    assert.deepEqual(ended.rematch, ['YWRh']);
});

test('a seat is vacated, voted on and given', () => {
    const vacant = apply(empty, { seat_vacated: { seat: 1 } });
    assert.equal(vacant.vacant, 1);
    const given = apply(apply(vacant, { voted: { seat: 1, choice: 'CHOICE_BOT' } }), {
        seat_given: { seat: 1, player: ada },
    });
    assert.equal(given.vacant, undefined);
    assert.equal(given.table.seats?.[1]?.player?.name, 'Ada');
});

test('ids go from base64 to hexadecimal and back', () => {
    assert.equal(hexOf('AAH/'), '0001ff');
    assert.equal(base64Of('0001ff'), 'AAH/');
});

test('every set-up that comes with a game has a print of its own', () => {
    const prints = SETUPS.map((one) => `${one.game} ${one.print}`);
    assert.equal(new Set(prints).size, prints.length);
    assert.ok(SETUPS.some((one) => one.game === 'dead' && one.title.de !== ''));
});

test('the page prints a set-up as its build does', async () => {
    // The text as a person wrote it, spaces and all: a match carries it like that.
    const written = readFileSync(join(TEST_FOLDER, '../../../../configs/quests/standard.json'), 'utf8');
    const { print } = await import('../src/proto/print');
    assert.equal(print(written), SETUPS.find((one) => one.game === 'quests' && one.name === 'standard')?.print);
});

test('a replay shows, at each act, the last view there was', () => {
    const replay = replayOf({
        header: { game: 'nim', setup: '{}', seat: [{ name: 'Ada' }] },
        acts: [
            { number: '1', events: [{ house: {} }] },
            { number: '2', events: [{ taken: { seat: 0 } }], view: { heaps: [1] } },
            { number: '3', events: [] },
        ],
    });
    assert.equal(replay.viewAt(1), null);
    assert.deepEqual(replay.viewAt(2), { heaps: [1] });
    assert.deepEqual(replay.viewAt(3), { heaps: [1] });
    assert.deepEqual(
        replay.entries.map((entry) => [entry.number, Object.keys(entry.event)]),
        [
            [1, ['house']],
            [2, ['event']],
        ],
    );
});

test('figures are read, and of a histogram its quantiles', () => {
    const list = readMetrics(
        [
            '# TYPE arbiter_lobby_tables gauge',
            'arbiter_lobby_tables{phase="open"} 4',
            '# TYPE arbiter_engine_act_seconds histogram',
            'arbiter_engine_act_seconds_bucket{le="0.001"} 90',
            'arbiter_engine_act_seconds_bucket{le="0.1"} 99',
            'arbiter_engine_act_seconds_bucket{le="+Inf"} 100',
        ].join('\n'),
    );
    assert.deepEqual(
        list.map((one) => [one.group, one.short, one.value]),
        [
            ['lobby', 'tables', 4],
            ['engine', 'act seconds p50', 0.001],
            ['engine', 'act seconds p99', 0.1],
        ],
    );
    // As the house writes it: a role's name comes first, and its label ends as the edge's begins.
    const served = (edge: string, count: number) =>
        `arbiter_commit_seconds_bucket{role="engine",service="engine-1",le="${edge}"} ${count}`;
    const commits = readMetrics(
        ['# TYPE arbiter_commit_seconds histogram', served('0.001', 90), served('0.1', 99), served('+Inf', 100)].join(
            '\n',
        ),
    );
    assert.deepEqual(
        commits.map((one) => [one.group, one.short, one.labels, one.value]),
        [
            ['engine-1', 'commit seconds p50', 'role="engine"', 0.001],
            ['engine-1', 'commit seconds p99', 'role="engine"', 0.1],
        ],
    );
});

test('what happens several times in a row is said once', () => {
    const said = once(['on', 'on', '', 'on', 'off', 'on'], (one) => one || null);
    assert.deepEqual(said.map(withCount), ['on (×3)', 'off', 'on']);
});

test('in a replay everybody hears what was told to him', () => {
    const told = [undefined, 'all', 'seats', 'spectators', { seat: 1 }, { all_but: 1 }] as const;
    assert.deepEqual(
        told.map((to) => hears(to, undefined)),
        [true, true, false, true, false, true],
    );
    assert.deepEqual(
        told.map((to) => hears(to, 1)),
        [true, true, true, false, true, false],
    );
    assert.deepEqual(
        told.map((to) => hears(to, 2)),
        [true, true, true, false, false, true],
    );
});
