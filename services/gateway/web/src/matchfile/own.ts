// own.ts: a player's own bytes for hosted dice: how they are made, when they may be shown, whether a file has them.
import type { Contribute, Dice } from '../generated/browser';
import { readMessage, type Read } from './bytes';
import type { MatchFile } from './file';
import { bytesOf, hmacSha, order, same, sha, textOf, utf8 } from './hashes';

export const SECRET_BYTES = 32;
const BYTES = 16;

// What this page was shown before it gave something: the house's commitment, who contributes and, once it has revealed,
// all hashes.
export interface Note {
    commitment: string;
    seats: readonly number[];
    hashes?: Record<string, string>;
}

// own: they are in, behind all hashes that were shown. without: others are, or none. forged: the file tells another
// story than the one that was told while it happened.
export type Own = 'own' | 'without' | 'forged';

// Made anew whenever they are needed, so that a reload and another tab make the same. The commitment is in them: so a
// match's id that is used again brings other bytes.
export function contribution(secret: Uint8Array, match: Uint8Array, seat: number, commitment: Uint8Array): Uint8Array {
    return hmacSha(secret, utf8('arbiter contribution'), match, order(seat, 4), commitment).subarray(0, BYTES);
}

function hashesOf(dice: Dice): Record<string, string> {
    return Object.fromEntries((dice.hashes ?? []).map((one) => [String(one.seat ?? 0), one.hash ?? '']));
}
function isSame(a: Record<string, string>, b: Record<string, string>): boolean {
    return (
        Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([seat, hash]) => b[seat] === hash)
    );
}

// All that contribute have shown a hash, or stay out of it; none has two.
function areAllThere(dice: Dice, hashes: Record<string, string>): boolean {
    const silent = new Set(dice.silent ?? []);
    return (
        Object.keys(hashes).length === (dice.hashes ?? []).length &&
        (dice.seats ?? []).every((seat) => silent.has(seat) || sizeOf(hashes[String(seat)]) === 32)
    );
}
function sizeOf(text: string | undefined): number {
    return text === undefined ? 0 : bytesOf(text).length;
}

// What to say to this, and what to remember of it; null: nothing. A house or a gateway gets no bytes if it wants them
// too early, or changes what it had shown.
export function answerTo(
    dice: Dice,
    secret: Uint8Array,
    note: Note | undefined,
): { said: Contribute; note: Note } | null {
    const commitment = dice.commitment ?? '';
    const seat = dice.seat ?? 0;
    const seats = dice.seats ?? [];
    if (sizeOf(commitment) !== 32 || !seats.includes(seat)) return null;
    if (note !== undefined && (note.commitment !== commitment || note.seats.join() !== seats.join())) return null;
    const mine = contribution(secret, bytesOf(dice.match_id ?? ''), seat, bytesOf(commitment));
    const hash = textOf(sha(mine));
    const about = { match_id: dice.match_id, seat };
    const hashes = hashesOf(dice);
    const own = hashes[String(seat)];
    if (dice.wanted === 'WANTED_HASH' && own === undefined && note?.hashes === undefined)
        return { said: { ...about, hash }, note: { commitment, seats } };
    const isReady = dice.wanted === 'WANTED_REVEAL' && own === hash && areAllThere(dice, hashes);
    if (!isReady || (note?.hashes !== undefined && !isSame(note.hashes, hashes))) return null;
    return { said: { ...about, reveal: textOf(mine) }, note: { commitment, seats, hashes } };
}

// What the acts said while it happened, up to the moment at which the seat's bytes were shown.
function toldUpTo(file: MatchFile, seat: number): { hashes: Record<string, string>; revealed?: Uint8Array } {
    const hashes: Record<string, string> = {};
    for (const act of file.acts)
        for (const { house } of (readMessage('arbiter.stream.ActBody', act['body'] ?? new Uint8Array(0))['events'] ??
            []) as Read[]) {
            if (house?.hash_posted) hashes[String(house.hash_posted.seat ?? 0)] = textOf(house.hash_posted.hash);
            if (house?.bytes_revealed && (house.bytes_revealed.seat ?? 0) === seat)
                return { hashes, revealed: house.bytes_revealed.revealed };
        }
    return { hashes };
}

// From protocol 2 on the header says whose bytes a seat gave.
function isCalledOwn(header: Read, seat: number): boolean {
    const named: Read | undefined = ((header['contributors'] ?? []) as Read[]).find((one) => one['seat'] === seat);
    return (header['protocol'] ?? 0) < 2 || named?.['origin'] === 'ORIGIN_OWN';
}

// Of a file that holds otherwise.
export function judgeOwn(file: MatchFile, seat: number, secret: Uint8Array, note: Note | undefined): Own {
    const { header } = file;
    const commitment: Uint8Array | undefined = header['commitment'];
    if (commitment === undefined) return note === undefined ? 'without' : 'forged';
    if (note !== undefined && note.commitment !== textOf(commitment)) return 'forged';
    const mine = contribution(secret, header['match_id'], seat, commitment);
    const told = toldUpTo(file, seat);
    const posted = told.hashes[String(seat)];
    const isMine = posted === textOf(sha(mine));
    // What another device of the player's has done it has seen itself.
    if (note?.hashes === undefined) return isMine && same(told.revealed, mine) ? 'own' : 'without';
    if (!isMine || (told.revealed !== undefined && !same(told.revealed, mine))) return 'forged';
    if (!isSame(told.hashes, note.hashes) || !isCalledOwn(header, seat)) return 'forged';
    return told.revealed === undefined ? 'without' : 'own';
}
