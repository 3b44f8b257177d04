// board.test.ts: Grafana's dashboard has the types that Grafana publishes (the compiler says so), and these types tell
// what is no dashboard.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Dashboard } from '@grafana/schema';
import { board, queries } from '../src/generated/board';

const place = { x: 0, y: 0, w: 8, h: 8 };
export const faults: Dashboard[] = [
    // @ts-expect-error: it says which version of the schema it is of.
    { panels: [] },
    // @ts-expect-error: a panel has a type.
    { schemaVersion: 36, panels: [{ gridPos: place }] },
    // @ts-expect-error: a width is a number.
    { schemaVersion: 36, panels: [{ type: 'timeseries', gridPos: { ...place, w: '8' } }] },
    // @ts-expect-error: there is no such field of a panel.
    { schemaVersion: 36, panels: [{ type: 'timeseries', gridPos: place, legend: true }] },
    // @ts-expect-error: nor of a dashboard.
    { schemaVersion: 36, rows: [] },
    // @ts-expect-error: a variable has a type that Grafana knows.
    { schemaVersion: 36, templating: { list: [{ name: 'source', type: 'prometheus' }] } },
    // @ts-expect-error: a time has two ends.
    { schemaVersion: 36, time: { from: 'now-1h' } },
];

test('the dashboard that was judged has all its panels, and each of them asks something', () => {
    const panels = board.panels ?? [];
    assert.ok(panels.length >= 15);
    assert.ok(queries.length >= panels.length);
    assert.ok(queries.every((query) => query.expr.includes('arbiter_')));
});
