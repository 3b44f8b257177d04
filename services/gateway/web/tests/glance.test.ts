// glance.test.ts: what an operator is warned of, and how several services' figures become one line.
import assert from 'node:assert/strict';
import test from 'node:test';
import { alertsOf, living, rates, servicesOf, summed, worst, type Row } from '../src/views/glance';
import { readMetrics } from '../src/views/metrics';

function service(name: string, role: string, up = 1, beat = 0.2, lag = 0.01, dropped = 0, stopped = 0): string {
    const labels = `{role="${role}",service="${name}"}`;
    const figures = {
        up,
        stopped,
        beat_age_seconds: beat,
        lag_seconds: lag,
        messages_dropped_total: dropped,
        readers: 7,
        slots: 128,
        matches: 5,
    };
    return Object.entries(figures)
        .map(([name, value]) => `arbiter_${name}${labels} ${value}\n`)
        .join('');
}
// As the page keeps them: one value more with each look.
function rows(...looks: string[]): Row[] {
    const kept: { metric: Row['metric']; history: number[] }[] = [];
    for (const metric of readMetrics(looks[looks.length - 1]!))
        kept.push({
            metric,
            history: looks.map(
                (look) =>
                    readMetrics(look).find((one) => one.name === metric.name && one.group === metric.group)!.value,
            ),
        });
    return kept;
}

test('a house that does well gives no alert', () => {
    assert.deepEqual(alertsOf(rows(service('engine-1', 'engine') + service('lobby-1', 'lobby')), 2000), []);
});

test('each thing that is wrong is said once, of its service', () => {
    const look = (dropped: number) =>
        service('engine-1', 'engine', 0) +
        service('lobby-1', 'lobby', 1, 9) +
        service('fanout-1', 'fanout', 1, 0.1, 5) +
        service('gateway-0', 'gateway', 1, 0.1, 0, dropped) +
        'arbiter_slots_unowned 12\narbiter_gateway_lobby 0\narbiter_gateway_watchdogs 0\n';
    assert.equal(
        alertsOf(rows(look(3), look(8)), 2000).some(({ kind }) => kind === 'dropped'),
        false,
    );
    assert.deepEqual(
        alertsOf(rows(look(3), look(43)), 2000).map(({ kind, service: name, value }) => [kind, name, value]),
        [
            ['down', 'engine-1', 0],
            ['silent', 'lobby-1', 9],
            ['stuck', 'fanout-1', 5],
            ['dropped', 'gateway-0', 20],
            ['unowned', '', 12],
            ['alone', '', 0],
            ['unwatched', '', 0],
        ],
    );
});

test('who stopped as asked is no alert; who went without a word is one until others do his work', () => {
    const look = (age: number, others: string) =>
        rows(service('gateway-1', 'gateway', 0, 5, 0, 0, 1) + service('gateway-2', 'gateway', 0, age) + others);
    const seen = (all: Row[]) => [
        servicesOf(all).map(({ state }) => state),
        alertsOf(all, 2000).map(({ kind, service: name }) => `${kind} ${name}`),
    ];
    const other = service('gateway-3', 'gateway');
    assert.deepEqual(seen(look(4, other)), [['stopped', 'down', 'up'], ['down gateway-2']]);
    assert.deepEqual(seen(look(6, other)), [['stopped', 'gone', 'up'], []]);
    assert.deepEqual(seen(look(6, service('fanout-1', 'fanout'))), [['stopped', 'down', 'up'], ['down gateway-2']]);
    assert.deepEqual(summed(living(look(6, other)), 'arbiter_matches'), [5]);
});

test('figures of several services add up, by role; of histograms the worst counts', () => {
    const all = rows(service('engine-1', 'engine') + service('fanout-1', 'fanout') + service('fanout-2', 'fanout'));
    assert.deepEqual(
        servicesOf(all).map(({ name, role }) => [name, role]),
        [
            ['engine-1', 'engine'],
            ['fanout-1', 'fanout'],
            ['fanout-2', 'fanout'],
        ],
    );
    assert.deepEqual(
        servicesOf(all).map(({ slots, matches }) => [slots, matches]),
        [
            [128, 5],
            [128, 5],
            [128, 5],
        ],
    );
    assert.deepEqual(summed(all, 'arbiter_readers', 'fanout'), [14]);
    assert.deepEqual(summed(all, 'arbiter_readers'), [21]);
    assert.deepEqual(worst(all, 'arbiter_beat_age_seconds'), [0.2]);
    assert.deepEqual(rates([10, 30, 20], 2000), [10, 0]);
});
