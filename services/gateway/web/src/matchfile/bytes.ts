// bytes.ts: reads protocol buffers by the tables made of proto/; knows no message itself.
//
// 64-bit integers come out as decimal strings and bytes as Uint8Array. Whoever reads a file from strangers reads
// everything before believing anything: what does not fit is an error that says where.
import { FILE } from '../generated/file';

export type Read = Record<string, any>;

class Cursor {
    at: number;
    constructor(
        readonly bytes: Uint8Array,
        from: number,
        readonly end: number,
    ) {
        this.at = from;
    }
    varint(): bigint {
        let value = 0n;
        for (let shift = 0n; shift < 70n; shift += 7n) {
            if (this.at >= this.end) break;
            const byte = this.bytes[this.at++]!;
            value |= BigInt(byte & 0x7f) << shift;
            if (byte === 0 && shift > 0n) break;
            if (byte < 0x80) return BigInt.asUintN(64, value);
        }
        throw new Error(`byte ${this.at}: a number has no end, or one that is too long`);
    }
    piece(): Uint8Array {
        const size = Number(this.varint());
        if (this.at + size > this.end) throw new Error(`byte ${this.at}: a field is longer than its message`);
        this.at += size;
        return this.bytes.subarray(this.at - size, this.at);
    }
    skip(wire: number): void {
        if (wire === 0) this.varint();
        else if (wire === 2) this.piece();
        else if (wire === 1 || wire === 5) this.at += wire === 1 ? 8 : 4;
        else throw new Error(`byte ${this.at}: no such kind of field`);
    }
}

function plain(type: string, value: bigint): unknown {
    switch (type) {
        case 'bool':
            return value !== 0n;
        case 'uint32':
            return Number(BigInt.asUintN(32, value));
        case 'int32':
            return Number(BigInt.asIntN(32, value));
        case 'sint32':
            return Number(BigInt.asIntN(32, (value >> 1n) ^ -(value & 1n)));
        case 'sint64':
            return String(BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n)));
        case 'int64':
            return String(BigInt.asIntN(64, value));
        default:
            return String(value);
    }
}

function scalar(type: string | Readonly<Record<string, string>>, value: bigint): unknown {
    return typeof type === 'string' ? plain(type, value) : (type[String(value)] ?? Number(value));
}

function long(type: string, piece: Uint8Array): unknown {
    if (type.startsWith('.')) return readMessage(type.slice(1), piece);
    return type === 'string' ? new TextDecoder('utf-8', { fatal: true }).decode(piece) : piece;
}

// A file's own records have one spelling: a field that nobody knows, or twice, or out of order, would be bytes that
// nobody reads. What games say may come from a later build, and is read as far as it is known.
export function readMessage(name: string, bytes: Uint8Array): Read {
    const table = FILE[name] ?? {}; // Of a game that is not known here nothing is read.
    const isStrict = name.startsWith('arbiter.match.') || name === 'arbiter.wire.Contributor';
    let before = 0;
    const cursor = new Cursor(bytes, 0, bytes.length);
    const message: Read = {};
    const put = (field: string, repeated: number, value: unknown) => {
        if (repeated) (message[field] ??= []).push(value);
        else message[field] = value;
    };
    while (cursor.at < cursor.end) {
        const tag = Number(cursor.varint());
        const known = table[String(tag >>> 3)];
        const isOutOfOrder = tag >>> 3 < before || (tag >>> 3 === before && !known?.[2]);
        if (isStrict && (known === undefined || isOutOfOrder))
            throw new Error(`${name}: holds more than is read of it`);
        before = tag >>> 3;
        if (known === undefined) {
            cursor.skip(tag & 7);
            continue;
        }
        const [field, type, repeated] = known;
        const isLong = typeof type === 'string' && (type.startsWith('.') || type === 'string' || type === 'bytes');
        if ((tag & 7) === 2 && isLong) put(field, repeated, long(type, cursor.piece()));
        else if ((tag & 7) === 2) {
            const piece = cursor.piece();
            const packed = new Cursor(piece, 0, piece.length);
            while (packed.at < packed.end) put(field, repeated, scalar(type, packed.varint()));
        } else if ((tag & 7) === 0 && !isLong) put(field, repeated, scalar(type, cursor.varint()));
        else throw new Error(`${name}.${field}: is written in a way it cannot be`);
    }
    return message;
}
