// hashes.ts: the hashes of a match: SHA-256, HMAC and keyed BLAKE2b, over pieces.
//
// In plain TypeScript and not WebCrypto, which browsers keep from pages that come over plain http.
import { blake2b } from '@noble/hashes/blake2';
import { hmac } from '@noble/hashes/hmac';
import { sha256 } from '@noble/hashes/sha2';

const text = new TextEncoder();

export function utf8(words: string): Uint8Array {
    return text.encode(words);
}
export function joined(...pieces: Uint8Array[]): Uint8Array {
    const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
        all.set(piece, at);
        at += piece.length;
    }
    return all;
}
export function sha(...pieces: Uint8Array[]): Uint8Array {
    return sha256(joined(...pieces));
}
export function keyed(key: Uint8Array, ...pieces: Uint8Array[]): Uint8Array {
    return keyedTo(32, key, ...pieces);
}
// The same, of another length: not the beginning of the longer one.
export function keyedTo(size: number, key: Uint8Array, ...pieces: Uint8Array[]): Uint8Array {
    return blake2b(joined(...pieces), { key, dkLen: size });
}
export function hmacSha(key: Uint8Array, ...pieces: Uint8Array[]): Uint8Array {
    return hmac(sha256, key, joined(...pieces));
}
// A number in network byte order.
export function order(value: number | bigint, size: number): Uint8Array {
    const bytes = new Uint8Array(size);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (let at = size - 1; at >= 0; at--) {
        bytes[at] = Number(rest & 0xffn);
        rest >>= 8n;
    }
    return bytes;
}
export function same(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
    if (a === undefined || b === undefined || a.length !== b.length) return false;
    return a.every((byte, at) => byte === b[at]);
}
// Bytes are base64 in messages.
export function bytesOf(base64: string): Uint8Array {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
export function textOf(bytes: Uint8Array | undefined): string {
    return btoa(String.fromCharCode(...(bytes ?? [])));
}
export function hex(bytes: Uint8Array | undefined): string {
    return [...(bytes ?? [])].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
