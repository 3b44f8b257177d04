// operator.tsx: how the house does, for whoever runs it: the figures of /metrics as rows and small live charts.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../words/say';
import { readMetrics, type Metric } from './metrics';

const EVERY_MS = 2000;
const KEPT = 60;

function Spark({ values }: { values: readonly number[] }) {
    const most = Math.max(1e-9, ...values);
    const points = values.map((value, n) => `${(n / (KEPT - 1)) * 120},${26 - (value / most) * 24}`).join(' ');
    return <svg class="spark" viewBox="0 0 120 28" role="img" aria-label={values.slice(-1)[0]?.toFixed(1) ?? '–'}><polyline points={points} /></svg>;
}

function figure(value: number): string {
    if (!Number.isFinite(value)) return '–';
    if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString();
    return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}

export function Operator() {
    const token = useSignal(sessionStorage.getItem('arbiter.token') ?? '');
    const shown = useSignal(token.value !== '');
    const fault = useSignal(false);
    const rows = useSignal<{ metric: Metric; history: number[] }[]>([]);
    const fetchOnce = async () => {
        try {
            const answer = await fetch('/metrics', { headers: token.value ? { Authorization: `Bearer ${token.value}` } : {} });
            fault.value = !answer.ok;
            if (answer.ok) rows.value = readMetrics(await answer.text()).map((metric) => ({ metric,
                history: [...(rows.value.find((row) => row.metric.name === metric.name && row.metric.labels === metric.labels)?.history ?? []), metric.value].slice(-KEPT) }));
        } catch {
            fault.value = true;
        }
    };
    useEffect(() => {
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
            <form class="joincode" onSubmit={(event) => { event.preventDefault(); shown.value = false; setTimeout(() => { shown.value = true; }); }}>
                <input class="input" type="password" autocomplete="off" aria-label={t('token')} placeholder={t('token')} value={token.value}
                    onInput={(event) => { token.value = event.currentTarget.value; }} />
                <button class="button main">{t('show')}</button></form>
            {fault.value ? <p class="notice bad" role="alert">{t('no_metrics')}</p> : null}
            {groups.map((group) => (
                <section class="card list" key={group}><h2>{group}</h2>
                    <table class="metrics"><tbody>{rows.value.filter((row) => row.metric.group === group).map(({ metric, history }) => (
                        <tr key={metric.name + metric.labels}><th scope="row" title={metric.help}>{metric.short}<span class="soft small"> {metric.labels}</span></th>
                            <td class="num">{figure(metric.value)}{metric.unit}</td>
                            <td><Spark values={metric.isCounter ? rates(history) : history} /></td>
                            <td class="num soft small">{metric.isCounter ? `${figure(rates(history).slice(-1)[0] ?? 0)}/s` : ''}</td></tr>))}</tbody></table>
                </section>))}
        </div>
    );
}

// A counter is of interest by how fast it grows.
function rates(history: readonly number[]): number[] {
    return history.slice(1).map((value, n) => Math.max(0, (value - history[n]!) / (EVERY_MS / 1000)));
}
