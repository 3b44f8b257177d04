// glance.ts: of many figures those an operator looks at first, and what should worry him. Pure.
import type { Metric } from './metrics';

export interface Row { metric: Metric; history: readonly number[] }
export interface Service { name: string; role: string; isUp: boolean; beat: number; lag: number; bytes: number; since: number;
    matches: number; slots: number }
export type Alert = { kind: 'down' | 'silent' | 'stuck' | 'dropped' | 'unowned' | 'alone'; service: string; value: number };

const SILENT_S = 3;
const STUCK_S = 1;

export function labelOf(metric: Metric, label: string): string {
    return metric.labels.match(new RegExp(`${label}="([^"]*)"`))?.[1] ?? '';
}

function last(rows: readonly Row[], name: string, service: string): number {
    const row = rows.find(({ metric }) => metric.name === name && metric.group === service);
    return row?.history[row.history.length - 1] ?? 0;
}

export function servicesOf(rows: readonly Row[]): Service[] {
    return rows.filter(({ metric }) => metric.name === 'arbiter_up').map(({ metric }) => ({
        name: metric.group, role: labelOf(metric, 'role'), isUp: metric.value === 1, beat: last(rows, 'arbiter_beat_age_seconds', metric.group),
        lag: last(rows, 'arbiter_lag_seconds', metric.group), bytes: last(rows, 'arbiter_resident_bytes', metric.group),
        since: last(rows, 'arbiter_start_time_seconds', metric.group), matches: last(rows, 'arbiter_matches', metric.group),
        slots: last(rows, 'arbiter_slots', metric.group) }));
}

// What is not as it should be, the worst first; each service by its worst.
export function alertsOf(rows: readonly Row[]): Alert[] {
    const alerts: Alert[] = [];
    for (const one of servicesOf(rows)) {
        if (!one.isUp) alerts.push({ kind: 'down', service: one.name, value: 0 });
        else if (one.beat > SILENT_S) alerts.push({ kind: 'silent', service: one.name, value: one.beat });
        else if (one.lag > STUCK_S) alerts.push({ kind: 'stuck', service: one.name, value: one.lag });
    }
    for (const { metric, history } of rows)
        if (metric.name === 'arbiter_messages_dropped_total' && history.length > 1 && metric.value > history[0]!)
            alerts.push({ kind: 'dropped', service: metric.group, value: metric.value - history[0]! });
    const unowned = rows.find(({ metric }) => metric.name === 'arbiter_slots_unowned')?.metric.value ?? 0;
    if (unowned > 0) alerts.push({ kind: 'unowned', service: '', value: unowned });
    if (rows.some(({ metric }) => metric.name === 'arbiter_gateway_ready' && metric.value === 0)) alerts.push({ kind: 'alone', service: '', value: 0 });
    return alerts;
}

// A counter is of interest by how fast it grows.
export function rates(history: readonly number[], everyMs: number): number[] {
    return history.slice(1).map((value, n) => Math.max(0, (value - history[n]!) / (everyMs / 1000)));
}

// One line of several services' figures, added up; those of this role only.
export function summed(rows: readonly Row[], name: string, role = ''): number[] {
    const lines = rows.filter(({ metric }) => metric.name === name && (role === '' || labelOf(metric, 'role') === role)).map((row) => row.history);
    const size = Math.max(0, ...lines.map((line) => line.length));
    return Array.from({ length: size }, (_, n) => lines.reduce((sum, line) => sum + (line[line.length - size + n] ?? 0), 0));
}
// Of several services the worst.
export function worst(rows: readonly Row[], name: string): number[] {
    const lines = rows.filter(({ metric }) => metric.name === name).map((row) => row.history.map((one) => (Number.isFinite(one) ? one : 0)));
    const size = Math.max(0, ...lines.map((line) => line.length));
    return Array.from({ length: size }, (_, n) => Math.max(...lines.map((line) => line[line.length - size + n] ?? 0)));
}
