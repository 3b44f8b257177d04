// once.ts: what happens several times in a row is said once, with how often: seven fields that go on are one line.
export interface Said<T> {
    text: string;
    count: number;
    first: T;
}

export function once<T>(list: readonly T[], words: (one: T) => string | null): Said<T>[] {
    const said: Said<T>[] = [];
    for (const one of list) {
        const text = words(one);
        if (text === null) continue;
        const last = said[said.length - 1];
        if (last && last.text === text) last.count++;
        else said.push({ text, count: 1, first: one });
    }
    return said;
}

export function withCount({ text, count }: { text: string; count: number }): string {
    return count > 1 ? `${text} (×${count})` : text;
}
