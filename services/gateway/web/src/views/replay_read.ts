// replay_read.ts: a replay as the house gives it, made into what is shown: acts, what one heard of them, views.
import type { Event } from '../generated/browser';
import type { Who } from '../games/use';
import type { LogEntry } from '../net/match';
import type { GameMessage } from '../proto/game';

interface GivenAct {
    number?: string | number;
    actor?: number;
    events?: unknown[];
    view?: GameMessage | null;
}
export interface Given {
    header?: {
        game?: string;
        setup?: string;
        options?: string;
        seed?: string | number;
        seats?: number | Who[];
        seat?: (Who & { seat?: number })[];
        names?: string[];
    };
    seats?: (Who & { seat?: number })[];
    acts?: GivenAct[];
}
export interface ReplayAct {
    number: number;
    entries: LogEntry[];
}
export interface Replay {
    game: string;
    setup: string;
    options: string | undefined;
    // The dice came from a seed that everybody knew.
    hasSeed: boolean;
    seats: Who[];
    acts: ReplayAct[];
    entries: LogEntry[];
    // The first act behind which there is a view.
    first: number;
    viewAt: (at: number) => GameMessage | null;
    // Every view before that of act `at`.
    before: (at: number) => GameMessage[];
}

type To = 'all' | 'seats' | 'spectators' | { seat?: number; all_but?: number };

// Whether an event was told to this seat, or to who watched.
export function hears(to: To | undefined, seat: number | undefined): boolean {
    if (to === undefined || to === 'all') return true;
    if (typeof to === 'string') return (to === 'spectators') === (seat === undefined);
    return to.all_but === undefined ? to.seat === seat : to.all_but !== seat;
}

// An event stands there with whom it was told to, or it is one of the house's.
function eventOf(given: unknown): Event & { to?: To } {
    const one = given as Event & { to?: To };
    const isOwn = typeof one.to === 'object' && one.to.seat !== undefined;
    if (one.event === undefined && one.house === undefined) return { event: given as GameMessage };
    return isOwn ? { ...one, private: true } : one;
}

function seatsOf(given: Given): Who[] {
    const listed =
        given.header?.seat ?? given.seats ?? (Array.isArray(given.header?.seats) ? given.header?.seats : undefined);
    if (listed) return listed;
    const count = typeof given.header?.seats === 'number' ? given.header.seats : 0;
    return Array.from({ length: count }, (_, n) => ({ name: given.header?.names?.[n] }));
}

export function replayOf(given: Given, seat?: number): Replay {
    const acts: ReplayAct[] = (given.acts ?? []).map((act, at) => {
        const number = Number(act.number ?? at + 1);
        return {
            number,
            entries: (act.events ?? [])
                .map(eventOf)
                .filter((event) => hears(event.to, seat))
                .map((event) => ({ number, event })),
        };
    });
    const views = (given.acts ?? []).map((act) => act.view ?? null);
    return {
        game: given.header?.game ?? '',
        setup: given.header?.setup ?? '',
        options: given.header?.options,
        hasSeed: given.header?.seed !== undefined,
        seats: seatsOf(given),
        acts,
        entries: acts.flatMap((act) => act.entries),
        first: Math.max(1, views.findIndex((view) => view !== null) + 1),
        viewAt: (at) => {
            for (let n = at - 1; n >= 0; n--) if (views[n]) return views[n]!;
            return null;
        },
        before: (at) => views.slice(0, Math.max(0, at - 1)).filter((view): view is GameMessage => view !== null),
    };
}
