// boxes.ts: opens every sealed message of a finished match, with the keys that its shown secret makes.
//
// As common/wire/box.h has it: a seat's key is a keyed hash of its number and generation; a box is its nonce, then a
// secretbox; and the nonce is a keyed hash of where the box stands and what is in it, which is made again here.
import { xsalsa20poly1305 } from '@noble/ciphers/salsa';
import { readMessage, type Read } from './bytes';
import type { MatchFile } from './file';
import { keyedTo, order, same, utf8 } from './hashes';

const SEAT_LABEL = utf8('arbiter seat key');
const NONCE_LABEL = utf8('arbiter box nonce');
const NONCE_SIZE = 24;
const LENGTH_SIZE = 4;

// What one seat was told, and nobody else.
export interface Told {
    act: number;
    seat: number;
    event: Read;
}

// The generation of a seat's key in an act: the last one that holds since then.
function generationOf(file: MatchFile, seat: number, act: number): number {
    let generation = 1;
    for (const one of file.seats)
        if ((one['seat'] ?? 0) === seat && Number(one['since'] ?? 1) <= act) generation = one['generation'] ?? 1;
    return generation;
}

function open(file: MatchFile, act: Read, seat: number, box: Uint8Array): Uint8Array {
    const number = Number(act['number']);
    const numbers = (...pairs: [number | bigint, number][]) => pairs.map(([value, size]) => order(value, size));
    const generation = generationOf(file, seat, number);
    const key = keyedTo(32, file.end!['sealing_secret'], SEAT_LABEL, ...numbers([seat, 4], [generation, 4]));
    const nonce = box.subarray(0, NONCE_SIZE);
    const text = xsalsa20poly1305(key, nonce).decrypt(box.subarray(NONCE_SIZE));
    const place = numbers([BigInt(act['epoch'] ?? 0), 8], [number, 8], [seat, 4], [generation, 4]);
    const again = keyedTo(NONCE_SIZE, keyedTo(32, key, NONCE_LABEL), file.header['match_id'], ...place, text);
    if (!same(again, nonce)) throw new Error('its nonce is not the one of this place and text');
    return text;
}

function tellings(text: Uint8Array): Uint8Array[] {
    const size = new DataView(text.buffer, text.byteOffset).getUint32(0);
    if (size > text.length - LENGTH_SIZE || text.subarray(LENGTH_SIZE + size).some((byte) => byte !== 0))
        throw new Error('what fills it up is not zeros');
    const said = readMessage('arbiter.stream.BoxText', text.subarray(LENGTH_SIZE, LENGTH_SIZE + size));
    return (said['events'] ?? []).map((one: Read) => one['event'] ?? new Uint8Array(0));
}

// Everything that was told in secret, in order. Throws a sentence that names the act and the seat of a box that does
// not open.
export function openBoxes(file: MatchFile, boxesOf: (act: Read) => Uint8Array[]): Told[] {
    const told: Told[] = [];
    for (const act of file.acts)
        for (const [seat, box] of boxesOf(act).entries()) {
            try {
                for (const event of tellings(open(file, act, seat, box)))
                    told.push({
                        act: Number(act['number']),
                        seat,
                        event: readMessage(`arbiter.${file.header['game']}.Event`, event),
                    });
            } catch (fault) {
                throw new Error(
                    `act ${act['number']}: the box of seat ${seat + 1} does not open: ${(fault as Error).message}`,
                );
            }
        }
    return told;
}
