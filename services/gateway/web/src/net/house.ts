// house.ts: everything this tab knows of the house: who one is, tables, matches; and what one may ask for.
import { batch, signal } from '@preact/signals';
import type { Down, Welcome } from '../generated/browser';
import type { Announce, Answer, Ask, Invited, Result, Table } from '../generated/lobby';
import type { Refused } from '../generated/wire';
import { keepCode } from './codes';
import { contribute, getReady, takeSecret } from './dice';
import { Door } from './door';
import { Match } from './match';
import { takeAlong } from './seated';
import { apply, seen, type Seen } from './tables';
import { isKnownHere, noteMe, words } from './who';

const ADDRESS = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;

export const me = signal<{ player: string; name: string; avatar: string } | null>(null);
// Who was here before is waited for; who never was is greeted at once.
export const isKnown = isKnownHere();
export const welcome = signal<Welcome | null>(null);
export const tables = signal<ReadonlyMap<string, Seen>>(new Map());
export const listed = signal<Table[]>([]);
export const results = signal<Result[]>([]);
// The lists have come at least once: what stands below them has its place.
export const hasLists = signal(false);
export const deviceCode = signal<{ code: string; until: number } | null>(null);
// What the operator tells everybody, above all that the house will stop.
export const announced = signal<Announce | null>(null);
export const invitation = signal<Invited | null>(null);
// Whether the house has said at which tables one sits: until then nobody knows whether a match is one's own.
export const hasTables = signal(false);
// Which matches are open here; `opened` counts up with each change of it.
export const matches = new Map<string, Match>();
export const opened = signal(0);

export const door = new Door(ADDRESS, heard, words);

function heard(down: Down): void {
    batch(() => {
        if (down.welcome) welcomed(down.welcome);
        else if (down.table) tableEvent(down.table.table, down);
        else if (down.table_now?.table) seeTable(down.table_now);
        else if (down.device)
            deviceCode.value = { code: down.device.code ?? '', until: Date.now() + Number(down.device.left_ms ?? 0) };
        else if (down.dice)
            void contribute(down.dice, me.value?.player ?? '', (said) => void door.ask({ contribute: said }));
        else matchHeard(down);
    });
}

// A code by which somebody came here, and what another device handed over with it. Whose it is the house says; the
// visitor says whether to become that player. `why`: the code is not good.
export const offered = signal<{ code: string; secret: string; name?: string; why?: Refused } | null>(null);

// What was handed over is the player's whom that code names, and nobody else's.
let handed = '';
export function acceptOffer(): void {
    const offer = offered.value;
    if (!offer) return;
    offered.value = null;
    handed = offer.secret;
    door.open({ code: offer.code });
}

async function askWhose(): Promise<void> {
    const offer = offered.value;
    if (!offer || offer.name !== undefined || offer.why) return;
    const { owner, refused } = await door.ask({ whose: { code: offer.code } });
    // Whose connection fell meanwhile asks again.
    if (door.line.value !== 'open' || offered.value !== offer) return;
    if (!owner) offered.value = { ...offer, why: refused ?? {} };
    else if (owner.name === me.value?.name) offered.value = null;
    else offered.value = { ...offer, name: owner.name ?? '' };
}

function welcomed(said: Welcome): void {
    welcome.value = said;
    me.value = said.player ? { player: said.player, name: said.name ?? '', avatar: said.avatar ?? '' } : null;
    if (said.fresh) {
        tables.value = new Map();
        hasTables.value = false;
    }
    noteMe(me.value);
    if (said.player && !door.unwelcome.value) takeSecret(said.player, handed);
    handed = '';
    if (said.player) getReady();
    if (said.player) void rejoin();
    else hasTables.value = true;
    void askWhose();
    for (const match of matches.values()) match.begin();
}

async function rejoin(): Promise<void> {
    const answer = await ask({ rejoin: {} });
    batch(() => {
        for (const table of answer.tables?.tables ?? []) seeTable(table);
        // Whose connection fell meanwhile asks again.
        hasTables.value = door.line.value === 'open';
    });
}

function seeTable(table: Table): void {
    const id = table.table ?? '';
    const known = tables.value.get(id);
    const next = new Map(tables.value);
    next.set(id, known ? { ...known, table: { ...known.table, ...table } } : seen(table));
    tables.value = next;
    noteMatch(next.get(id)!.table);
}

// What belongs to a table goes with its match.
function noteMatch(table: Table): void {
    keepCode(table.match_id, table.code);
    if (table.hotseat && table.table && table.match_id) takeAlong(table.table, table.match_id);
}

function tableEvent(id: string | undefined, down: Down): void {
    const event = down.table!;
    if (event.chatted && event.chatted.player === undefined) void listenToHouse();
    if (event.invited?.code) invitation.value = event.invited;
    const known = tables.value.get(id ?? '') ?? (event.opened?.table ? seen(event.opened.table) : undefined);
    if (id === undefined || known === undefined) return;
    const next = new Map(tables.value);
    const after = apply(known, event);
    next.set(id, after);
    tables.value = next;
    noteMatch(after.table);
}

// A seat of one's own and a look without one are two matches, for they show different things.
export function matchKey(id: string, seat: number | undefined): string {
    return `${id}/${seat ?? 'w'}`;
}

function matchHeard(down: Down): void {
    const about = down.shown ?? down.happened ?? down.legal ?? down.over ?? down.gone ?? down.crowd;
    if (about?.match_id === undefined) return;
    if (down.crowd) {
        for (const match of matches.values())
            if (match.id === down.crowd.match_id) match.crowd.value = down.crowd.watching ?? 0;
        return;
    }
    const seat = 'seat' in about ? about.seat : undefined;
    const match = matches.get(matchKey(about.match_id, seat));
    if (!match) return;
    if (down.shown) match.shown(down.shown);
    else if (down.legal) match.allowed(down.legal);
    else if (down.happened) match.happened(down.happened, down.number !== undefined);
    else if (down.over) match.ended(down);
    else if (down.gone) match.gone.value = { closing: down.gone };
}

// What a player is called who is seen somewhere in the house just now.
export function nameOfPlayer(id: string): string | undefined {
    const here = [...listed.value, ...[...tables.value.values()].map(({ table }) => table)];
    const players = [
        ...here.flatMap((table) => (table.seats ?? []).map((seat) => seat.player)),
        ...results.value.flatMap((result) => result.players ?? []),
    ];
    return players.find((one) => one?.player === id)?.name;
}

// The pictures of those who play a match, by seat, where one of the house's lists has its table.
export function avatarsIn(matchId: string): (string | undefined)[] {
    const here = tableOf(matchId)?.table ?? listed.value.find((table) => table.match_id === matchId);
    return (here?.seats ?? []).map((seat) => seat.player?.avatar);
}

// The seats this player holds in a match.
export function seatsIn(matchId: string): number[] {
    const mine = me.value?.player;
    for (const { table } of tables.value.values())
        if (table.match_id === matchId && mine !== undefined)
            return (table.seats ?? []).filter((seat) => seat.player?.player === mine).map((seat) => seat.seat ?? 0);
    return [];
}
export function tableOf(matchId: string): Seen | undefined {
    return [...tables.value.values()].find(({ table }) => table.match_id === matchId);
}

export function openMatch(id: string, seat: number | undefined, code?: string): Match {
    const key = matchKey(id, seat);
    let match = matches.get(key);
    if (!match) {
        match = new Match(id, door, seat, code);
        matches.set(key, match);
        opened.value++;
        if (door.line.value === 'open') match.begin();
    }
    return match;
}
export function closeMatch(match: Match): void {
    match.end();
    matches.delete(matchKey(match.id, match.seat));
    opened.value++;
}

// The lobby's answer, or why it was not even asked.
export async function ask(what: Ask): Promise<Answer & { refused?: Refused }> {
    const down = await door.ask({ ask: what });
    if (down.answer?.table) seeTable(down.answer.table);
    return down.answer ?? { verdict: 'VERDICT_UNSPECIFIED', refused: down.refused ?? {} };
}
// The house has spoken at a table: what it says everybody stands beside the lists.
async function listenToHouse(): Promise<void> {
    const answer = await ask({ list_tables: { limit: 1 } });
    if (answer.tables) announced.value = answer.tables.announced ?? null;
}
export async function refreshLists(): Promise<void> {
    const [open, over] = await Promise.all([ask({ list_tables: {} }), ask({ list_results: { limit: 12 } })]);
    if (open.tables) listed.value = open.tables.tables ?? [];
    if (open.tables) announced.value = open.tables.announced ?? null;
    if (over.results) results.value = over.results.results ?? [];
    hasLists.value = true;
}

const ENTER_MS = 20_000;

// Who is new says a name, once; from then on the house knows this browser. The answer is why not, or nothing.
export function enterAs(name: string, avatar: string): Promise<Down | null> {
    // Another tab may have come in meanwhile: then this one is that player, too.
    door.open({ name, avatar }, !isKnownHere());
    return new Promise((resolve) => {
        const stops = [
            me.subscribe((one) => {
                if (one) settle(null);
            }),
            door.unwelcome.subscribe((why) => {
                if (why) settle(why);
            }),
        ];
        const timer = setTimeout(() => settle({ closing: { sentence: door.closing.value } }), ENTER_MS);
        function settle(why: Down | null): void {
            clearTimeout(timer);
            // The first calls come before the list of stops is there.
            queueMicrotask(() => stops.forEach((stop) => stop()));
            resolve(why);
        }
    });
}
// Ends the session on all devices. False: there is no connection, and nothing has happened.
export function leaveHouse(): boolean {
    if (!door.send({ leave: {} })) return false;
    door.forget();
    me.value = null;
    noteMe(null);
    tables.value = new Map();
    return true;
}
