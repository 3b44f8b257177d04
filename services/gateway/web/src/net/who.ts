// who.ts: which of the people at this browser plays in this window. Each has a cookie of their own, which no script can
// read; a number names it, and the window remembers the number. Names and pictures are kept, to choose from them.
import { keep, kept } from './door';

const WINDOW = 'arbiter.who';
const PEOPLE = 'arbiter.people';
// The door knows so many cookies of one browser.
const MOST = 9;

export interface Person {
    who: number;
    name: string;
    avatar: string;
}

function ofWindow(): number {
    try {
        const said = Number(sessionStorage.getItem(WINDOW));
        return Number.isInteger(said) && said > 1 && said <= MOST ? said : 1;
    } catch {
        return 1;
    }
}
// Of this window; 1: whoever this browser has known from the first.
export const who = ofWindow();
export const words = who === 1 ? [] : [`who=${who}`];

// Where this window's player keeps something that is nobody else's.
export function keyHere(key: string): string {
    return who === 1 ? key : `${key}.${who}`;
}

export function keptHere(key: string): string | null {
    return kept(keyHere(key));
}

function isPerson(one: unknown): one is Person {
    const { who: n, name } = (one ?? {}) as Person;
    return Number.isInteger(n) && n >= 1 && n <= MOST && typeof name === 'string' && name !== '';
}
export function people(): Person[] {
    try {
        const said: unknown = JSON.parse(kept(PEOPLE) ?? '[]');
        return (Array.isArray(said) ? said.filter(isPerson) : []).sort((a, b) => a.who - b.who);
    } catch {
        return [];
    }
}
// Who this window's player is; null: nobody any more.
export function noteMe(me: { name: string; avatar: string } | null): void {
    const others = people().filter((one) => one.who !== who);
    keep(PEOPLE, JSON.stringify(me ? [...others, { who, name: me.name, avatar: me.avatar }] : others));
    if (who === 1) keep('arbiter.known', me ? '1' : null);
}
export function isKnownHere(): boolean {
    return people().some((one) => one.who === who) || (who === 1 && kept('arbiter.known') !== null);
}
// A number that is nobody's; undefined: all are somebody's.
export function nextFree(): number | undefined {
    const taken = new Set([who, ...people().map((one) => one.who)]);
    return Array.from({ length: MOST }, (_, n) => n + 1).find((n) => !taken.has(n));
}
// From now on this window is somebody else's. Everything it knows belongs to the one before: so it loads anew.
export function become(next: number): void {
    try {
        sessionStorage.setItem(WINDOW, String(next));
    } catch {
        return;
    }
    // Who looks at a table or an invitation wants to sit down there.
    if (!/^#\/(join|table)\//.test(location.hash)) history.replaceState(null, '', '#/');
    location.reload();
}
