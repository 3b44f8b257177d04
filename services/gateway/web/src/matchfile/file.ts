// file.ts: takes a match file apart: "arbiter match 1", then records, each behind its length and its check.
import { readMessage, type Read } from './bytes';
import { same, sha, utf8 } from './hashes';

const HEAD = 'arbiter match 1\n';
const RECORD_MOST = 4 * 1024 * 1024;

export interface MatchFile {
    header: Read;
    contributions: Read[];
    seats: Read[];
    acts: Read[];
    end: Read | null;
    checks: number;
}

export class BadFile extends Error {}

export function readFile(bytes: Uint8Array): MatchFile {
    const head = utf8(HEAD);
    if (!same(bytes.subarray(0, head.length), head))
        throw new BadFile('this is no match file: its first line is not the one of match files');
    const records: Read[] = [];
    let at = head.length;
    while (at < bytes.length) {
        const record = takeRecord(bytes, at);
        records.push(record.message);
        at = record.next;
    }
    return sorted(records);
}

function takeRecord(bytes: Uint8Array, at: number): { message: Read; next: number } {
    if (at + 12 > bytes.length) throw new BadFile(`byte ${at}: the file is cut off`);
    const length = bytes.subarray(at, at + 4);
    const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
    const body = bytes.subarray(at + 12, at + 12 + size);
    if (size > RECORD_MOST || body.length !== size)
        throw new BadFile(`byte ${at}: the file is cut off, or a length is wrong`);
    if (!same(sha(length, body).subarray(0, 8), bytes.subarray(at + 4, at + 12)))
        throw new BadFile(`byte ${at}: a record is not what its check says`);
    try {
        return { message: readMessage('arbiter.match.Record', body), next: at + 12 + size };
    } catch (fault) {
        throw new BadFile(`byte ${at}: ${fault instanceof Error ? fault.message : 'unreadable'}`);
    }
}

const ORDER = ['header', 'contribution', 'seat', 'act', 'end'];

// header contribution* seat* act* end?
function sorted(records: Read[]): MatchFile {
    const file: MatchFile = { header: {}, contributions: [], seats: [], acts: [], end: null, checks: records.length };
    let stage = 0;
    records.forEach((record, n) => {
        const kind = ORDER.findIndex((name) => name in record);
        if (kind < stage || kind < 0 || (n === 0) !== (kind === 0) || file.end)
            throw new BadFile(`record ${n + 1} stands where it cannot stand`);
        stage = kind;
        const value = record[ORDER[kind]!];
        if (kind === 0) file.header = value;
        else if (kind === 1) file.contributions.push(value);
        else if (kind === 2) file.seats.push(value);
        else if (kind === 3) file.acts.push(value);
        else file.end = value;
    });
    if (records.length === 0) throw new BadFile('the file is empty');
    return file;
}
