// tables.ts: the tables this player is at, kept up to date by what is said at them.
import type { Player, Table, TableEvent, TableSeat } from '../generated/lobby';

export interface Line {
    player?: string;
    text?: string;
    phrase?: number;
    note?: string;
}
// `names`: of all who sat here, for who has got up may still speak.
export interface Seen {
    table: Table;
    names: Readonly<Record<string, string>>;
    chat: Line[];
    rematch: string[];
    votes: string[];
    vacant?: number;
    closed?: string;
}

export function seen(table: Table): Seen {
    return { table, names: namesAt(table), chat: [], rematch: [], votes: [] };
}

function namesAt(table: Table): Record<string, string> {
    return Object.fromEntries(
        (table.seats ?? []).flatMap(({ player }) =>
            player?.player && player.name ? [[player.player, player.name]] : [],
        ),
    );
}

function withSeat(table: Table, seat: number | undefined, change: Partial<TableSeat> & { player?: Player }): Table {
    const seats = (table.seats ?? []).map((one) => ((one.seat ?? 0) === seat ? { ...one, ...change } : one));
    return { ...table, seats };
}
function without(table: Table, seat: number | undefined): Table {
    return withSeat(table, seat, { player: undefined, vacant: false, promised: false });
}
const CHAT_MOST = 200;

// The table behind an event; everything that is not said here is as it was.
export function apply(before: Seen, event: TableEvent): Seen {
    const after = changed(before, event);
    return { ...after, names: { ...before.names, ...namesAt(after.table) } };
}

function changed(before: Seen, event: TableEvent): Seen {
    const { table } = before;
    if (event.opened?.table) return { ...before, table: { ...table, ...event.opened.table } };
    if (event.seated) {
        const cleared = event.seated.from === undefined ? table : without(table, event.seated.from);
        return {
            ...before,
            table: withSeat(cleared, event.seated.seat ?? 0, {
                player: event.seated.player,
                vacant: false,
                promised: false,
            }),
        };
    }
    if (event.left) return { ...before, table: without(table, event.left.seat ?? 0) };
    if (event.invited?.seat !== undefined && !event.invited.code)
        return { ...before, table: withSeat(table, event.invited.seat, { promised: true }) };
    if (event.host_changed) return { ...before, table: { ...table, host: event.host_changed.player } };
    if (event.chatted) return { ...before, chat: [...before.chat, event.chatted].slice(-CHAT_MOST) };
    if (event.match_begins) {
        return {
            ...before,
            rematch: [],
            table: {
                ...table,
                phase: 'PHASE_PLAYING',
                match_id: event.match_begins.match_id,
                seats: event.match_begins.seats ?? table.seats,
            },
        };
    }
    if (event.seat_vacated) {
        return {
            ...before,
            vacant: event.seat_vacated.seat ?? 0,
            votes: [],
            table: withSeat(table, event.seat_vacated.seat ?? 0, { vacant: true }),
        };
    }
    if (event.voted) return { ...before, votes: [...before.votes, event.voted.choice ?? ''] };
    if (event.seat_given) {
        return {
            ...before,
            vacant: undefined,
            table: withSeat(table, event.seat_given.seat ?? 0, { player: event.seat_given.player, vacant: false }),
        };
    }
    if (event.match_ended) {
        return {
            ...before,
            table: { ...table, phase: 'PHASE_OVER' },
            rematch: (event.match_ended.asks_rematch ?? []).map((player) => player.player ?? ''),
        };
    }
    if (event.table_closed)
        return { ...before, closed: event.table_closed.sentence ?? '', table: { ...table, phase: 'PHASE_CLOSED' } };
    return before;
}
