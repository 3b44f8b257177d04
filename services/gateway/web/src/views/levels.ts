// levels.ts: how well a bot plays: its levels by name, and what the lobby is asked for.
import { GAMES } from '../generated/games';
import { t } from '../words/say';

// Not chosen: it plays what the game's own judgement likes best.
export const USUAL = 0;

const NAMES = ['level_1', 'level_2', 'level_3', 'level_4'] as const;

export function levelsOf(game: string): number {
    return GAMES.find((one) => one.id === game)?.levels ?? 0;
}

// A game with two levels has the weakest and the strongest name.
export function levelName(game: string, level: number): string {
    const most = levelsOf(game);
    const at = most > 1 ? Math.round(((level - 1) * (NAMES.length - 1)) / (most - 1)) : 0;
    return t(NAMES[Math.min(Math.max(at, 0), NAMES.length - 1)] ?? 'level_1');
}

// As fill_with_bots wants it.
export function policyOf(level: number): string | undefined {
    return level === USUAL ? undefined : `level:${level}`;
}

interface Call {
    count?: number;
    policy?: string;
}
// What is asked for a table's bots, in order: one ask for neighbours of one level. The last one fills whatever is free.
export function callsOf(levels: readonly number[], bots: number): Call[] {
    const calls: { count: number; policy: string | undefined }[] = [];
    for (let n = 0; n < bots; n++) {
        const policy = policyOf(levels[n] ?? USUAL);
        const last = calls.at(-1);
        if (last && last.policy === policy) last.count += 1;
        else calls.push({ count: 1, policy });
    }
    return calls.map((call, n) => (n + 1 < calls.length ? call : { policy: call.policy }));
}
