// chain.ts: the chain that makes a match's past unchangeable, computed again from the bytes of its file.
//
//     chain 0 = SHA-256 of the header's fields, each behind its length
//     chain n = SHA-256(chain n-1 | number | actor | length, keyed hash of the command | length, body)
import type { Read } from './bytes';
import { joined, keyed, order, sha, utf8 } from './hashes';

const NOTHING = new Uint8Array(0);

// From protocol 2 on: of each contributor to the dice its seat and whose its bytes are, a byte each.
const ORIGINS = ['', 'ORIGIN_OWN', 'ORIGIN_GATEWAY', 'ORIGIN_HOUSE'];
function contributors(header: Read): Uint8Array {
    const list: Read[] = header['contributors'] ?? [];
    return Uint8Array.from(list.flatMap((one) => [one['seat'] ?? 0, Math.max(0, ORIGINS.indexOf(one['origin']))]));
}

export function chainBegin(header: Read): Uint8Array {
    const numbers = joined(
        order(header['protocol'] ?? 0, 4),
        order(header['rules_version'] ?? 0, 4),
        order(header['seats'] ?? 0, 4),
    );
    const bound = header['commitment'] ?? (header['seed'] === undefined ? NOTHING : order(BigInt(header['seed']), 8));
    const pieces = [
        utf8('arbiter match'),
        header['match_id'] ?? NOTHING,
        numbers,
        utf8(header['game'] ?? ''),
        utf8(header['setup'] ?? ''),
        utf8(header['options'] ?? ''),
        utf8(header['dice'] ?? ''),
        bound,
    ];
    if ((header['protocol'] ?? 0) >= 2) pieces.push(contributors(header));
    return sha(...pieces.flatMap((piece) => [order(piece.length, 8), piece]));
}

export function chainNext(before: Uint8Array, act: Read, secret: Uint8Array): Uint8Array {
    const command = keyed(secret, utf8('arbiter command'), act['command'] ?? NOTHING);
    const body: Uint8Array = act['body'] ?? NOTHING;
    return sha(
        before,
        order(BigInt(act['number'] ?? 0), 8),
        order(act['actor'] ?? 0, 4),
        order(32, 8),
        command,
        order(body.length, 8),
        body,
    );
}
