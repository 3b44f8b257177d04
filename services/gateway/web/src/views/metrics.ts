// metrics.ts: reads Prometheus' text form; of a histogram only its median and 99th percentile are kept.
export interface Metric {
    name: string;
    short: string;
    group: string;
    labels: string;
    value: number;
    unit: string;
    help: string;
    isCounter: boolean;
}

interface Histogram {
    name: string;
    labels: string;
    buckets: [number, number][];
}

function quantile(buckets: [number, number][], of: number): number {
    const all = buckets[buckets.length - 1]?.[1] ?? 0;
    return buckets.find(([, count]) => count >= all * of)?.[0] ?? NaN;
}

export function readMetrics(text: string): Metric[] {
    const types = new Map<string, string>();
    const helps = new Map<string, string>();
    const histograms = new Map<string, Histogram>();
    const list: Metric[] = [];
    for (const line of text.split('\n')) {
        const said = line.match(/^# (TYPE|HELP) (\S+) (.*)$/);
        if (said) (said[1] === 'TYPE' ? types : helps).set(said[2]!, said[3]!);
        const row = line.match(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/);
        if (!row || line.startsWith('#')) continue;
        const [, name = '', labels = '', value = ''] = row;
        const base = name.replace(/_(bucket|sum|count)$/, '');
        if (types.get(base) === 'histogram') {
            if (name.endsWith('_bucket')) gather(histograms, base, labels, Number(value));
            continue;
        }
        list.push(metric(name, labels, Number(value), '', helps.get(name) ?? '', types.get(name) === 'counter'));
    }
    for (const { name, labels, buckets } of histograms.values())
        for (const of of [0.5, 0.99])
            list.push(metric(`${name} p${of * 100}`, labels, quantile(buckets, of), '', helps.get(name) ?? '', false));
    return list;
}

function gather(all: Map<string, Histogram>, name: string, labels: string, count: number): void {
    // A role ends with these two letters, too.
    const edge = labels.match(/(?:^|,)le="([^"]+)"/)?.[1] ?? '+Inf';
    const others = labels.replace(/(?:^|,)le="[^"]*"/, '').replace(/^,/, '');
    const key = `${name}{${others}}`;
    if (!all.has(key)) all.set(key, { name, labels: others, buckets: [] });
    all.get(key)!.buckets.push([edge === '+Inf' ? Infinity : Number(edge), count]);
}

function metric(name: string, labels: string, value: number, unit: string, help: string, isCounter: boolean): Metric {
    const words = name
        .replace(/^arbiter_/, '')
        .replace(/_total$/, '')
        .split('_');
    const service = labels.match(/service="([^"]+)"/)?.[1];
    const group = service ?? (words.length > 1 ? words[0]! : 'arbiter');
    const short = (service ? words : words.slice(words.length > 1 ? 1 : 0)).join(' ');
    return {
        name,
        short,
        group,
        labels: labels.replace(/,?service="[^"]*"/, '').replace(/^,/, ''),
        value,
        unit,
        help,
        isCounter,
    };
}
