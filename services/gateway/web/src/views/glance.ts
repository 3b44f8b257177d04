// glance.ts: of many figures those an operator looks at first, and what should worry him. Pure.
import type { Metric } from './metrics';

export interface Row {
    metric: Metric;
    history: readonly number[];
}
// `stopped`: it ended as it was asked to. `gone`: it ended without a word, and others of its role do its work.
export type State = 'up' | 'stopped' | 'gone' | 'down';
export interface Service {
    name: string;
    role: string;
    state: State;
    beat: number;
    lag: number;
    bytes: number;
    since: number;
    matches: number;
    slots: number;
}
export type Alert = {
    kind: 'down' | 'silent' | 'stuck' | 'dropped' | 'unowned' | 'alone' | 'unwatched';
    service: string;
    value: number;
};

const SILENT_S = 3;
const STUCK_S = 1;
// Whoever was silent for so long has gone; the lobby's directory has forgotten him by then, too.
const GONE_S = 5;
// Who goes leaves some messages that cannot be sent: a few are no news. Of so many looks the last.
const DROPPED_PER_S = 10;
const DROPPED_LOOKS = 6;

export function labelOf(metric: Metric, label: string): string {
    return metric.labels.match(new RegExp(`${label}="([^"]*)"`))?.[1] ?? '';
}

function last(rows: readonly Row[], name: string, service: string): number {
    const row = rows.find(({ metric }) => metric.name === name && metric.group === service);
    return row?.history[row.history.length - 1] ?? 0;
}

// What he does whom one would ask instead decides whether somebody who has gone is missed.
function stateOf(rows: readonly Row[], { value, group, labels }: Metric): State {
    if (value === 1) return 'up';
    if (last(rows, 'arbiter_stopped', group) === 1) return 'stopped';
    const others = rows.some(
        ({ metric }) => metric.name === 'arbiter_up' && metric.labels === labels && metric.value === 1,
    );
    return others && last(rows, 'arbiter_beat_age_seconds', group) > GONE_S ? 'gone' : 'down';
}

export function servicesOf(rows: readonly Row[]): Service[] {
    return rows
        .filter(({ metric }) => metric.name === 'arbiter_up')
        .map(({ metric }) => ({
            name: metric.group,
            role: labelOf(metric, 'role'),
            state: stateOf(rows, metric),
            beat: last(rows, 'arbiter_beat_age_seconds', metric.group),
            lag: last(rows, 'arbiter_lag_seconds', metric.group),
            bytes: last(rows, 'arbiter_resident_bytes', metric.group),
            since: last(rows, 'arbiter_start_time_seconds', metric.group),
            matches: last(rows, 'arbiter_matches', metric.group),
            slots: last(rows, 'arbiter_slots', metric.group),
        }));
}

// What is not as it should be, the worst first; each service by its worst.
export function alertsOf(rows: readonly Row[], everyMs: number): Alert[] {
    const alerts: Alert[] = [];
    for (const one of servicesOf(rows)) {
        if (one.state === 'stopped' || one.state === 'gone') continue;
        if (one.state === 'down') alerts.push({ kind: 'down', service: one.name, value: 0 });
        else if (one.beat > SILENT_S) alerts.push({ kind: 'silent', service: one.name, value: one.beat });
        else if (one.lag > STUCK_S) alerts.push({ kind: 'stuck', service: one.name, value: one.lag });
    }
    for (const { metric, history } of living(rows)) {
        const recent =
            metric.name === 'arbiter_messages_dropped_total' ? rates(history.slice(-DROPPED_LOOKS), everyMs) : [];
        const each = recent.reduce((sum, one) => sum + one, 0) / recent.length;
        if (each > DROPPED_PER_S) alerts.push({ kind: 'dropped', service: metric.group, value: each });
    }
    const valuesOf = (wanted: string) =>
        rows.map(({ metric }) => metric).flatMap(({ name, value }) => (name === wanted ? [value] : []));
    const unowned = Math.max(0, ...valuesOf('arbiter_slots_unowned'));
    if (unowned > 0) alerts.push({ kind: 'unowned', service: '', value: unowned });
    if (valuesOf('arbiter_gateway_lobby').includes(0)) alerts.push({ kind: 'alone', service: '', value: 0 });
    if (valuesOf('arbiter_gateway_watchdogs').includes(0)) alerts.push({ kind: 'unwatched', service: '', value: 0 });
    return alerts;
}

// Without the last words of those who are not there any more.
export function living(rows: readonly Row[]): Row[] {
    const dead = new Set(
        servicesOf(rows)
            .filter(({ state }) => state === 'stopped' || state === 'gone')
            .map(({ name }) => name),
    );
    return rows.filter(({ metric }) => !dead.has(metric.group));
}

// A counter is of interest by how fast it grows.
export function rates(history: readonly number[], everyMs: number): number[] {
    return history.slice(1).map((value, n) => Math.max(0, (value - history[n]!) / (everyMs / 1000)));
}

// One line of several services' figures, added up; those of this role only.
export function summed(rows: readonly Row[], name: string, role = ''): number[] {
    const lines = rows
        .filter(({ metric }) => metric.name === name && (role === '' || labelOf(metric, 'role') === role))
        .map((row) => row.history);
    const size = Math.max(0, ...lines.map((line) => line.length));
    return Array.from({ length: size }, (_, n) =>
        lines.reduce((sum, line) => sum + (line[line.length - size + n] ?? 0), 0),
    );
}
// Of several services the worst.
export function worst(rows: readonly Row[], name: string): number[] {
    const lines = rows
        .filter(({ metric }) => metric.name === name)
        .map((row) => row.history.map((one) => (Number.isFinite(one) ? one : 0)));
    const size = Math.max(0, ...lines.map((line) => line.length));
    return Array.from({ length: size }, (_, n) => Math.max(...lines.map((line) => line[line.length - size + n] ?? 0)));
}
