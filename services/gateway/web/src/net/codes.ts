// codes.ts: the codes of private tables one sat at, kept on this device: their matches' files and replays want them.
import { keep, kept } from './door';

const KEY = 'arbiter.codes';
const MOST = 100;

function read(): [string, string][] {
    try {
        return JSON.parse(kept(KEY) ?? '[]') as [string, string][];
    } catch {
        return [];
    }
}

export function keepCode(matchId: string | undefined, code: string | undefined): void {
    if (!matchId || !code || codeOf(matchId) === code) return;
    keep(KEY, JSON.stringify([...read().filter(([id]) => id !== matchId), [matchId, code]].slice(-MOST)));
}
export function codeOf(matchId: string): string | undefined {
    return read().find(([id]) => id === matchId)?.[1];
}
