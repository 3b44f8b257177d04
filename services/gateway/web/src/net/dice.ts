// dice.ts: what this player gives to hosted dice, from this browser alone: the secret it is made of, and what it saw.
//
// The bytes follow from a secret that is drawn here. So a reload, another tab and another device with the secret make
// the same. It goes to another device in the fragment of an address, which no server hears.
import type { Contribute, Dice } from '../generated/browser';
import type { MatchFile } from '../matchfile/file';
import type { Note, Own } from '../matchfile/own';
import { keep, kept } from './door';
import { keyHere } from './who';

// Windows of other people at this browser write at the same time: each has lists of its own.
const SECRETS = keyHere('arbiter.bytes');
const NOTES = keyHere('arbiter.dice');
const MOST = 50;
const SECRET_HEX = /^[0-9a-f]{64}$/;

function read<Value>(key: string): [string, Value][] {
    try {
        return JSON.parse(kept(key) ?? '[]') as [string, Value][];
    } catch {
        return [];
    }
}
function write<Value>(key: string, name: string, value: Value): void {
    keep(key, JSON.stringify([...read<Value>(key).filter(([one]) => one !== name), [name, value]].slice(-MOST)));
}
function find<Value>(key: string, name: string): Value | undefined {
    return read<Value>(key).find(([one]) => one === name)?.[1];
}

// Of getRandomValues, which pages have over plain http, too.
function drawn(): string {
    return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
// Hexadecimal. What stands there after it was written counts: another tab may have been quicker.
export function secretOf(player: string): string {
    if (!SECRET_HEX.test(find<string>(SECRETS, player) ?? '')) write(SECRETS, player, drawn());
    return find<string>(SECRETS, player) ?? '';
}
export function takeSecret(player: string, secret: string): void {
    if (SECRET_HEX.test(secret)) write(SECRETS, player, secret);
}

function noteName(player: string, match: string, seat: number): string {
    return `${player} ${match} ${seat}`;
}
function bytesOfHex(hex: string): Uint8Array {
    return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

// What judges and makes bytes comes before it is needed: when dice are made, the line may just be slow.
export function getReady(): void {
    void import('../matchfile/own').catch(() => undefined);
}

// Remembered before it is said: whoever has given something knows it after a reload.
export async function contribute(dice: Dice, player: string, send: (said: Contribute) => void): Promise<void> {
    const { answerTo } = await import('../matchfile/own');
    const name = noteName(player, dice.match_id ?? '', dice.seat ?? 0);
    const answer = answerTo(dice, bytesOfHex(secretOf(player)), find<Note>(NOTES, name));
    if (!answer) return;
    write(NOTES, name, answer.note);
    send(answer.said);
}

// Whether this player's own bytes are in the file; null: the file does not hold at all.
export async function judgeFile(bytes: Uint8Array, player: string, match: string, seat: number): Promise<Own | null> {
    const [{ verify }, { judgeOwn }] = await Promise.all([import('../matchfile/verify'), import('../matchfile/own')]);
    const judged = verify(bytes);
    if (!judged.good || !judged.file) return null;
    return judgeOwn(judged.file, seat, bytesOfHex(secretOf(player)), find<Note>(NOTES, noteName(player, match, seat)));
}

// Of the seats for which this browser gave bytes: whether they are in a file that holds.
export async function ownIn(file: MatchFile, player: string, match: string): Promise<{ seat: number; own: Own }[]> {
    const { judgeOwn } = await import('../matchfile/own');
    const secret = bytesOfHex(secretOf(player));
    return read<Note>(NOTES)
        .map(([name, note]) => ({ name: name.split(' '), note }))
        .filter(({ name }) => name[0] === player && name[1] === match)
        .map(({ name, note }) => ({ seat: Number(name[2]), own: judgeOwn(file, Number(name[2]), secret, note) }));
}
