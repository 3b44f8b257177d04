// dice.ts: how the dice of a match were made: who was to give bytes, in which order hashes and bytes came, and whose
// the bytes are. What acts tell is under the chain; what the file's other records say must be the same.
import { readMessage, type Read } from './bytes';
import type { MatchFile } from './file';
import { hex, hmacSha, same, sha } from './hashes';

export type Origin = 'ORIGIN_OWN' | 'ORIGIN_GATEWAY' | 'ORIGIN_HOUSE';
// Who withholds the bytes has announced them, and has seen what the others gave.
export interface Given {
    seat: number;
    origin: Origin;
    became: 'revealed' | 'withheld' | 'unannounced';
}
export interface Dice {
    fault?: string;
    given: Given[];
    key: string;
    isOpen: boolean;
}

const ORIGINS: readonly string[] = ['ORIGIN_OWN', 'ORIGIN_GATEWAY', 'ORIGIN_HOUSE'];
const START = 256;
const SAYS = 260;

class BadDice extends Error {}

function need(fault: string, isSo: boolean): void {
    if (!isSo) throw new BadDice(fault);
}

const isSame = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
    a === undefined || b === undefined ? a === b : same(a, b);

// In protocol 2 the header names who gives bytes: every seat that began without a bot.
function contributors(file: MatchFile): Map<number, Origin> {
    const { header } = file;
    const found = new Map<number, Origin>();
    const list: Read[] = header['contributors'] ?? [];
    let before = -1;
    need('the header names contributors where there are none', list.length === 0 || header['protocol'] === 2);
    for (const one of list) {
        const seat: number = one['seat'] ?? -1;
        need('the contributors do not stand in order of seats', seat > before && seat < (header['seats'] ?? 0));
        need(`seat ${seat + 1}: its bytes are nobody’s`, ORIGINS.includes(one['origin']));
        found.set(seat, one['origin']);
        before = seat;
    }
    for (const one of header['protocol'] === 2 ? file.seats : [])
        if (one['generation'] === 1)
            need(
                `seat ${(one['seat'] ?? 0) + 1}: the contributors are not the seats that began without a bot`,
                one['bot'] !== found.has(one['seat'] ?? 0),
            );
    return found;
}

// What the acts tell, judged in the order in which they tell it.
class Rounds {
    asked: Set<number> | null = null;
    awaited = new Set<number>();
    posted = new Map<number, Uint8Array>();
    revealed = new Map<number, Uint8Array>();
    silent = new Set<number>();
    isRevealing = false;
    hasBegun = false;

    constructor(
        readonly header: Read,
        readonly named: Map<number, Origin>,
    ) {}

    committed(said: Read): void {
        const seats: number[] = said['seats'] ?? [];
        need('the house commits itself twice', this.asked === null);
        need('the house commits itself to another secret', isSame(said['commitment'], this.header['commitment']));
        need(
            'seats are asked that are none',
            seats.every((seat, n) => seat < (this.header['seats'] ?? 0) && (n === 0 || seat > seats[n - 1]!)),
        );
        const isNamed = seats.length === this.named.size && seats.every((seat) => this.named.has(seat));
        need('other seats are asked than the header names', this.header['protocol'] !== 2 || isNamed);
        this.asked = new Set(seats);
        this.awaited = new Set(seats);
    }

    hash(seat: number, hash: Uint8Array): void {
        need(`seat ${seat + 1}: nobody awaits this hash`, !this.isRevealing && this.awaited.delete(seat));
        need(`seat ${seat + 1}: its hash is none`, hash?.length === 32);
        this.posted.set(seat, hash);
    }

    bytes(seat: number, bytes: Uint8Array): void {
        need(`seat ${seat + 1}: it reveals before all hashes are there`, this.isRevealing);
        need(`seat ${seat + 1}: it reveals without a hash`, this.posted.has(seat));
        need(`seat ${seat + 1}: nobody awaits its bytes any more`, this.awaited.delete(seat));
        need(
            `seat ${seat + 1}: its bytes do not make its hash`,
            bytes?.length === 16 && same(sha(bytes), this.posted.get(seat)),
        );
        this.revealed.set(seat, bytes);
    }

    silence(seat: number): void {
        need(`seat ${seat + 1}: nobody awaits anything of it`, this.awaited.delete(seat));
        this.silent.add(seat);
    }

    hear(event: Read): void {
        const { dice_committed, hash_posted, bytes_revealed, seat_silent } = event;
        if (!dice_committed && !hash_posted && !bytes_revealed && !seat_silent) return;
        need('no dice are made here', !this.hasBegun && this.header['dice'] === 'chacha');
        need('nobody was asked for dice yet', dice_committed !== undefined || this.asked !== null);
        if (dice_committed) this.committed(dice_committed);
        if (hash_posted) this.hash(hash_posted.seat ?? 0, hash_posted.hash);
        if (bytes_revealed) this.bytes(bytes_revealed.seat ?? 0, bytes_revealed.revealed);
        if (seat_silent) this.silence(seat_silent.seat ?? 0);
        if (this.awaited.size > 0 || this.isRevealing) return;
        this.isRevealing = true;
        this.awaited = new Set(this.posted.keys());
    }

    start(): void {
        const isMade = this.isRevealing && this.awaited.size === 0;
        const isOfBefore = this.asked === null && this.header['protocol'] !== 2;
        need('the match begins before its dice are made', this.header['dice'] !== 'chacha' || isMade || isOfBefore);
        this.hasBegun = true;
    }
}

function heard(file: MatchFile, named: Map<number, Origin>): Rounds {
    const rounds = new Rounds(file.header, named);
    for (const act of file.acts) {
        if (act['actor'] === START) rounds.start();
        const events: Read[] = readMessage('arbiter.stream.ActBody', act['body'] ?? new Uint8Array(0))['events'] ?? [];
        if (act['actor'] === SAYS && events[0]?.['house']) rounds.hear(events[0]['house']);
    }
    return rounds;
}

// The records say what the acts said, in order of seats.
function compare(file: MatchFile, rounds: Rounds): void {
    let before = -1;
    for (const one of file.contributions) {
        const seat: number = one['seat'] ?? 0;
        need(`seat ${seat + 1}: contributes twice`, seat > before);
        if (one['revealed'])
            need(
                `seat ${seat + 1}: its bytes do not make its hash`,
                one['revealed'].length === 16 && same(sha(one['revealed']), one['hash']),
            );
        need(`seat ${seat + 1}: the match was told another hash`, isSame(rounds.posted.get(seat), one['hash']));
        need(`seat ${seat + 1}: the match was told other bytes`, isSame(rounds.revealed.get(seat), one['revealed']));
        before = seat;
    }
    const told = new Set([...rounds.posted.keys(), ...rounds.silent]);
    for (const seat of told)
        need(
            `seat ${seat + 1}: its contribution is left out`,
            file.contributions.some((one) => (one['seat'] ?? 0) === seat),
        );
    need('a seat contributes that nobody asked', told.size === file.contributions.length);
}

// A match of protocol 1 does not say whose bytes they are: they may all be the house's.
function given(file: MatchFile, rounds: Rounds): Given[] {
    return [...(rounds.asked ?? [])].map((seat) => ({
        seat,
        origin: file.header['protocol'] === 2 ? rounds.named.get(seat)! : 'ORIGIN_HOUSE',
        became: rounds.revealed.has(seat) ? 'revealed' : rounds.posted.has(seat) ? 'withheld' : 'unannounced',
    }));
}

function judged(file: MatchFile): Dice {
    const secret: Uint8Array | undefined = file.end?.['dice_secret'];
    const { header } = file;
    const rounds = heard(file, header['commitment'] === undefined ? new Map() : contributors(file));
    if (header['commitment'] === undefined) {
        const isOpen = header['seed'] !== undefined && file.contributions.length === 0 && secret === undefined;
        need('there is no commitment and no seed', isOpen && (header['contributors'] ?? []).length === 0);
        return { given: [], key: '', isOpen };
    }
    need(
        'the secret is not the one the house was committed to',
        secret !== undefined && same(sha(secret), header['commitment']),
    );
    compare(file, rounds);
    const mixed = file.contributions.flatMap((one) => (one['revealed'] ? [one['revealed'] as Uint8Array] : []));
    return { given: given(file, rounds), key: hex(hmacSha(secret!, header['match_id'], ...mixed)), isOpen: false };
}

export function judgeDice(file: MatchFile): Dice {
    try {
        return judged(file);
    } catch (fault) {
        if (!(fault instanceof BadDice)) throw fault;
        return { fault: fault.message, given: [], key: '', isOpen: false };
    }
}
