// operator.tsx: how the house does, for whoever runs it: the figures of /metrics as rows and small live charts.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { language, t } from '../words/say';
import { alertsOf, labelOf, living, rates, servicesOf, summed, worst, type Row } from './glance';
import { readMetrics, type Metric } from './metrics';
import { Steward } from './steward';

const EVERY_MS = 2000;
const KEPT = 60;
// Engines hold slots and their matches; fanouts listen to them.
const HOLDERS = ['engine', 'fanout'];
const LAMPS = { up: 'good', stopped: 'soft', gone: 'warm', down: 'bad' };

// What was not measured yet is drawn as nothing.
function Spark({ values: given }: { values: readonly number[] }) {
    const values = given.map((value) => (Number.isFinite(value) ? value : 0));
    const most = Math.max(1e-9, ...values);
    const points = values.map((value, n) => `${(n / (KEPT - 1)) * 120},${26 - (value / most) * 24}`).join(' ');
    return (
        <svg class="spark" viewBox="0 0 120 28" role="img" aria-label={values.slice(-1)[0]?.toFixed(1) ?? '–'}>
            <polyline points={points} />
        </svg>
    );
}

function figure(value: number): string {
    if (!Number.isFinite(value)) return '–';
    const isWhole = Number.isInteger(value) || Math.abs(value) >= 1000;
    return value.toLocaleString(
        language.value,
        isWhole ? { maximumFractionDigits: 0 } : { minimumSignificantDigits: 3, maximumSignificantDigits: 3 },
    );
}

// What is known now, behind what was known before.
function later(rows: readonly Row[], metrics: readonly Metric[]): Row[] {
    const isSame = (a: Metric, b: Metric) => a.name === b.name && a.group === b.group && a.labels === b.labels;
    return metrics.map((metric) => {
        const before = rows.find((row) => isSame(row.metric, metric))?.history ?? [];
        return { metric, history: [...before, metric.value].slice(-KEPT) };
    });
}

// Every figure of a service, one a row.
function Figures({ group, rows }: { group: string; rows: readonly Row[] }) {
    return (
        <details class="card list">
            <summary>{group}</summary>
            <table class="metrics">
                <tbody>
                    {rows.map(({ metric, history }) => (
                        <tr key={metric.name + metric.labels}>
                            <th scope="row" title={metric.help}>
                                {metric.short}
                                <span class="soft small"> {metric.labels}</span>
                            </th>
                            <td class="num">
                                {figure(metric.value)}
                                {metric.unit}
                            </td>
                            <td>
                                <Spark values={metric.isCounter ? rates(history, EVERY_MS) : history} />
                            </td>
                            <td class="num soft small">
                                {metric.isCounter ? `${figure(rates(history, EVERY_MS).slice(-1)[0] ?? 0)}/s` : ''}
                            </td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </details>
    );
}

// `given`: the token of a link, which is kept for this tab and taken out of the address.
export function Operator({ given }: { given: string }) {
    const token = useSignal(given || (sessionStorage.getItem('arbiter.token') ?? ''));
    const shown = useSignal(token.value !== '');
    const fault = useSignal(false);
    const rows = useSignal<readonly Row[]>([]);
    const fetchOnce = async () => {
        try {
            const answer = await fetch('/metrics', {
                headers: token.value ? { Authorization: `Bearer ${token.value}` } : {},
            });
            fault.value = !answer.ok;
            if (answer.ok) rows.value = later(rows.value, readMetrics(await answer.text()));
        } catch {
            fault.value = true;
        }
    };
    useEffect(() => {
        if (given) history.replaceState(null, '', '#/house');
        if (!shown.value) return undefined;
        sessionStorage.setItem('arbiter.token', token.value);
        void fetchOnce();
        const timer = setInterval(() => void fetchOnce(), EVERY_MS);
        return () => clearInterval(timer);
    }, [shown.value]);
    const groups = [...new Set(rows.value.map((row) => row.metric.group))];
    return (
        <div class="wide stack">
            <h1>{t('operator')}</h1>
            <form
                class="joincode"
                onSubmit={(event) => {
                    event.preventDefault();
                    shown.value = false;
                    setTimeout(() => {
                        shown.value = true;
                    });
                }}
            >
                <input
                    class="input"
                    type="password"
                    autocomplete="off"
                    aria-label={t('token')}
                    placeholder={t('token')}
                    value={token.value}
                    onInput={(event) => {
                        token.value = event.currentTarget.value;
                    }}
                />
                <button class="button main">{t('show')}</button>
            </form>
            {fault.value ? (
                <p class="notice bad" role="alert">
                    {t('no_metrics')}
                </p>
            ) : null}
            {rows.value.length > 0 && !fault.value ? <Glance rows={rows.value} /> : null}
            {shown.value && token.value !== '' && !fault.value ? <Steward token={token.value} /> : null}
            {groups.map((group) => (
                <Figures key={group} group={group} rows={rows.value.filter((row) => row.metric.group === group)} />
            ))}
        </div>
    );
}

function Tile({ words, values, unit = '' }: { words: string; values: readonly number[]; unit?: string }) {
    return (
        <div class="tile">
            <span class="soft small">{words}</span>
            <b class="num">
                {figure(values[values.length - 1] ?? NaN)}
                <small>{unit}</small>
            </b>
            <Spark values={values} />
        </div>
    );
}

function Tiles({ rows }: { rows: readonly Row[] }) {
    const ms = (values: readonly number[]) => values.map((value) => value * 1000);
    const fanouts = rows.filter(
        ({ metric }) => metric.name === 'arbiter_readers' && labelOf(metric, 'role') === 'fanout',
    );
    return (
        <section class="tiles" aria-label={t('at_a_glance')}>
            <Tile words={t('tile_matches')} values={summed(rows, 'arbiter_matches', 'engine')} />
            <Tile
                words={t('tile_commands')}
                values={rates(summed(rows, 'arbiter_commands_total', 'engine'), EVERY_MS)}
                unit="/s"
            />
            <Tile
                words={t('tile_acts')}
                values={rates(summed(rows, 'arbiter_acts_total', 'engine'), EVERY_MS)}
                unit="/s"
            />
            <Tile
                words={t('tile_commit', { p: 50 })}
                values={ms(worst(rows, 'arbiter_commit_seconds p50'))}
                unit=" ms"
            />
            <Tile
                words={t('tile_commit', { p: 99 })}
                values={ms(worst(rows, 'arbiter_commit_seconds p99'))}
                unit=" ms"
            />
            {/* Without leases there is nobody to count them. */}
            {rows.some(({ metric }) => metric.name === 'arbiter_slot_moves_total') ? (
                <Tile words={t('tile_moves')} values={summed(rows, 'arbiter_slot_moves_total')} />
            ) : null}
            <Tile words={t('tile_tabs')} values={summed(rows, 'arbiter_gateway_tabs')} />
            {fanouts.map(({ metric, history }) => (
                <Tile key={metric.group} words={t('tile_readers', { service: metric.group })} values={history} />
            ))}
            <Tile
                words={t('tile_memory')}
                values={summed(rows, 'arbiter_resident_bytes').map((value) => value / 2 ** 20)}
                unit=" MiB"
            />
        </section>
    );
}

function Lamp({ state }: { state: keyof typeof LAMPS }) {
    return <span class={`dot ${LAMPS[state]}`} role="img" aria-label={t(`is_${state}`)} />;
}

function Services({ rows }: { rows: readonly Row[] }) {
    return (
        <section class="card list">
            <h2>{t('services')}</h2>
            <table class="metrics services">
                <thead>
                    <tr>
                        <th scope="col">{t('service')}</th>
                        <th scope="col">{t('since')}</th>
                        <th scope="col">{t('beat')}</th>
                        <th scope="col">{t('lag')}</th>
                        <th scope="col">{t('slots')}</th>
                        <th scope="col">{t('tile_matches')}</th>
                        <th scope="col">{t('tile_memory')}</th>
                    </tr>
                </thead>
                <tbody>
                    {servicesOf(rows).map((one) => (
                        <tr key={one.name} class={one.state}>
                            <th scope="row">
                                <Lamp state={one.state} /> {one.name}
                                {one.state === 'up' ? null : <span class="small state">{t(`is_${one.state}`)}</span>}
                            </th>
                            <td class="num">
                                {one.since > 0 ? new Date(one.since * 1000).toLocaleTimeString(language.value) : '–'}
                            </td>
                            <td class="num">{Math.round(one.beat * 1000)} ms</td>
                            <td class="num">{Math.round(one.lag * 1000)} ms</td>
                            <td class="num">{HOLDERS.includes(one.role) ? one.slots : '–'}</td>
                            <td class="num">{HOLDERS.includes(one.role) ? one.matches : '–'}</td>
                            <td class="num">{figure(one.bytes / 2 ** 20)} MiB</td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </section>
    );
}

// What one looks at first: is anything wrong, how much is going on, how quick is it, who is there.
function Glance({ rows: all }: { rows: readonly Row[] }) {
    const alerts = alertsOf(all, EVERY_MS);
    return (
        <>
            <section class={`notice${alerts.length > 0 ? ' bad' : ' fine'}`} role="status" aria-label={t('alerts')}>
                {alerts.length === 0 ? (
                    t('all_well')
                ) : (
                    <ul>
                        {alerts.map((one) => (
                            <li key={one.kind + one.service}>
                                {t(`alert_${one.kind}`, { service: one.service, n: figure(one.value) })}
                            </li>
                        ))}
                    </ul>
                )}
            </section>
            <Tiles rows={living(all)} />
            <Services rows={all} />
        </>
    );
}
