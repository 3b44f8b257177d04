// replay_data.ts: fetches a finished match: its acts with the views behind them, as the house gives them to anybody.
import type { Event } from '../generated/browser';
import type { LogEntry } from '../net/match';
import type { GameMessage } from '../proto/game';
import type { Who } from '../games/use';

interface GivenAct { number?: string | number; actor?: number; events?: unknown[]; view?: GameMessage | null }
interface Given {
    header?: { game?: string; setup?: string; options?: string; seats?: number | Who[]; seat?: (Who & { seat?: number })[]; names?: string[] };
    seats?: (Who & { seat?: number })[];
    acts?: GivenAct[];
}
export interface ReplayAct { number: number; entries: LogEntry[] }
export interface Replay {
    game: string; setup: string; options: string | undefined; seats: Who[]; acts: ReplayAct[]; entries: LogEntry[];
    viewAt: (at: number) => GameMessage | null;
}

export async function fetchReplay(id: string): Promise<Replay | null> {
    try {
        const answer = await fetch(`/api/matches/${id}/replay`);
        return answer.ok ? replayOf((await answer.json()) as Given) : null;
    } catch {
        return null;
    }
}
export async function fetchFile(id: string): Promise<Uint8Array | null> {
    try {
        const answer = await fetch(`/api/matches/${id}/file`);
        return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
    } catch {
        return null;
    }
}

// An event stands there as one of the game, or as {event} or {house}, as in a running match.
function eventOf(given: unknown): Event {
    const one = given as Event;
    return one.event !== undefined || one.house !== undefined ? one : { event: given as GameMessage };
}

function seatsOf(given: Given): Who[] {
    const listed = given.header?.seat ?? given.seats ?? (Array.isArray(given.header?.seats) ? given.header?.seats : undefined);
    if (listed) return listed;
    const count = typeof given.header?.seats === 'number' ? given.header.seats : 0;
    return Array.from({ length: count }, (_, n) => ({ name: given.header?.names?.[n] }));
}

export function replayOf(given: Given): Replay {
    const acts: ReplayAct[] = (given.acts ?? []).map((act, at) => {
        const number = Number(act.number ?? at + 1);
        return { number, entries: (act.events ?? []).map((event) => ({ number, event: eventOf(event) })) };
    });
    const views = (given.acts ?? []).map((act) => act.view ?? null);
    return {
        game: given.header?.game ?? '', setup: given.header?.setup ?? '', options: given.header?.options, seats: seatsOf(given), acts,
        entries: acts.flatMap((act) => act.entries),
        viewAt: (at) => {
            for (let n = at - 1; n >= 0; n--) if (views[n]) return views[n]!;
            return null;
        },
    };
}
