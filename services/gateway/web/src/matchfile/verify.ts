// verify.ts: judges a match file in the browser: checks, chain, dice, seals, end. Computes everything, asks nobody.
//
// What it cannot do is play the moves again: it has no rules. `arbiter verify FILE` does, and the result says so.
import { readMessage, type Read } from './bytes';
import { chainBegin, chainNext } from './chain';
import { openBoxes, type Told } from './boxes';
import { BadFile, readFile, type MatchFile } from './file';
import { hex, hmacSha, same, sha } from './hashes';
import { outcomeSaid, type Says } from './outcome';

export type Step = 'records' | 'chain' | 'end' | 'dice' | 'seals' | 'outcome';
export interface Finding {
    step: Step;
    good: boolean;
    count?: number;
    fault?: string;
    detail?: string;
}
export interface Judgement {
    good: boolean;
    findings: Finding[];
    file: MatchFile | null;
    chain: string;
    told: Told[];
}

// `says`: how this game's events say who has won; without, the outcome is not compared with them.
export function verify(bytes: Uint8Array, says: Says = () => null): Judgement {
    const findings: Finding[] = [];
    let file: MatchFile | null = null;
    let chain = '';
    let told: Told[] = [];
    try {
        file = readFile(bytes);
        findings.push({ step: 'records', good: true, count: file.checks });
        const walked = walk(file);
        chain = hex(walked.chain);
        findings.push(walked.finding);
        // What stands in acts means something only if they are the acts that were played.
        if (walked.finding.good) {
            const seals = sealsOf(file);
            told = seals.told;
            findings.push(endOf(file, walked.chain), diceOf(file), seals.finding, outcomeOf(file, says));
        }
    } catch (fault) {
        findings.push({
            step: findings.length === 0 ? 'records' : 'chain',
            good: false,
            fault: fault instanceof BadFile || fault instanceof Error ? fault.message : String(fault),
        });
    }
    return { good: findings.every((one) => one.good), findings, file, chain, told };
}

function walk(file: MatchFile): { chain: Uint8Array; finding: Finding } {
    let chain = chainBegin(file.header);
    const secret: Uint8Array | undefined = file.end?.['sealing_secret'];
    if (secret?.length !== 32)
        return {
            chain,
            finding: { step: 'chain', good: false, fault: 'the match has no end yet, and its secrets come with it' },
        };
    for (const [at, act] of file.acts.entries()) {
        if (act['number'] !== String(at + 1))
            return { chain, finding: { step: 'chain', good: false, fault: `act ${at + 1} is missing` } };
        chain = chainNext(chain, act, secret);
        if (!same(chain, act['chain']))
            return {
                chain,
                finding: { step: 'chain', good: false, fault: `act ${at + 1}: its chain is not what its bytes make` },
            };
    }
    return { chain, finding: { step: 'chain', good: true, count: file.acts.length } };
}

function endOf(file: MatchFile, chain: Uint8Array): Finding {
    const end = file.end ?? {};
    if (end['acts'] !== String(file.acts.length))
        return { step: 'end', good: false, fault: 'the end counts other acts than there are' };
    if (!same(chain, end['chain'])) return { step: 'end', good: false, fault: 'the end names another last chain' };
    return { step: 'end', good: true };
}

// The house's secret is the one it was committed to, each seat's bytes are those it had posted the hash of, and what
// the acts said of them while it happened is what the file says now.
function diceOf(file: MatchFile): Finding {
    const { header } = file;
    const secret: Uint8Array | undefined = file.end?.['dice_secret'];
    if (header['commitment'] === undefined) {
        const isOpen = header['seed'] !== undefined && file.contributions.length === 0 && secret === undefined;
        return isOpen
            ? { step: 'dice', good: true, detail: `open:${header['seed']}` }
            : { step: 'dice', good: false, fault: 'there is no commitment and no seed' };
    }
    if (!secret || !same(sha(secret), header['commitment']))
        return { step: 'dice', good: false, fault: 'the secret is not the one the house was committed to' };
    const told = contributionsTold(file);
    const mixed: Uint8Array[] = [];
    let before = -1;
    for (const one of file.contributions) {
        const seat: number = one['seat'] ?? 0;
        const fault = seat <= before ? 'contributes twice' : contributionFault(one, told.get(seat));
        if (fault) return { step: 'dice', good: false, fault: `seat ${seat + 1}: ${fault}` };
        before = seat;
        if (one['revealed']) mixed.push(one['revealed']);
    }
    for (const seat of told.keys())
        if (!file.contributions.some((one) => (one['seat'] ?? 0) === seat))
            return { step: 'dice', good: false, fault: `seat ${seat + 1}: its contribution is left out` };
    return {
        step: 'dice',
        good: true,
        count: mixed.length,
        detail: hex(hmacSha(secret, header['match_id'], ...mixed)),
    };
}

function contributionFault(one: Read, told: { hash?: Uint8Array; revealed?: Uint8Array } | undefined): string {
    if (one['revealed'] && (one['revealed'].length !== 16 || !same(sha(one['revealed']), one['hash'])))
        return 'its bytes do not make its hash';
    // No chain covers this record; the acts are chained, and so what counts is what they told.
    const isTold = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
        a === undefined ? b === undefined : same(a, b);
    if (!isTold(told?.hash, one['hash'])) return 'the match was told another hash';
    return isTold(told?.revealed, one['revealed']) ? '' : 'the match was told other bytes';
}

function contributionsTold(file: MatchFile): Map<number, { hash?: Uint8Array; revealed?: Uint8Array }> {
    const told = new Map<number, { hash?: Uint8Array; revealed?: Uint8Array }>();
    for (const act of file.acts)
        for (const { house } of bodyOf(act)['events'] ?? []) {
            if (house?.hash_posted) told.set(house.hash_posted.seat ?? 0, { hash: house.hash_posted.hash });
            if (house?.bytes_revealed) {
                const seat = house.bytes_revealed.seat ?? 0;
                told.set(seat, { ...told.get(seat), revealed: house.bytes_revealed.revealed });
            }
        }
    return told;
}

function bodyOf(act: Read): Read {
    return readMessage('arbiter.stream.ActBody', act['body'] ?? new Uint8Array(0));
}

// Every act has a box for each seat or none, all of one size, and the secret the house showed is the file's, which
// the chain above was computed with. Each box is opened. That its text is what the rules say, only `arbiter verify`
// can tell.
function sealsOf(file: MatchFile): { finding: Finding; told: Told[] } {
    const bad = (fault: string) => ({ finding: { step: 'seals' as const, good: false, fault }, told: [] });
    let boxes = 0;
    for (const [at, act] of file.acts.entries()) {
        const body = bodyOf(act);
        const held: Uint8Array[] = body['boxes'] ?? [];
        if (held.length !== 0 && held.length !== file.header['seats'])
            return bad(`act ${at + 1}: boxes for some seats only`);
        if (new Set(held.map((box) => box.length)).size > 1)
            return bad(`act ${at + 1}: a box's size tells whom it is for`);
        for (const { house } of body['events'] ?? [])
            if (house?.secrets_shown && !same(house.secrets_shown.sealing_secret, file.end?.['sealing_secret']))
                return bad(`act ${at + 1}: another secret was shown`);
        boxes += held.length;
    }
    try {
        const told = openBoxes(file, (act) => bodyOf(act)['boxes'] ?? []);
        return { finding: { step: 'seals', good: true, count: boxes, detail: String(told.length) }, told };
    } catch (fault) {
        return bad((fault as Error).message);
    }
}

function outcomeOf(file: MatchFile, says: Says): Finding {
    const outcome: number[] = file.end?.['outcome'] ?? [];
    const seats: number = file.header['seats'] ?? 0;
    const isAborted = file.end?.['reason'] === 'REASON_ABORTED';
    if (isAborted && outcome.length === 0) return { step: 'outcome', good: true, detail: 'aborted' };
    if (outcome.length !== seats)
        return { step: 'outcome', good: false, fault: 'the outcome is not one for each seat' };
    if (isAborted) return { step: 'outcome', good: true, detail: 'aborted' };
    const said = outcomeSaid(says, file.header['game'] ?? '', seats, file.acts);
    if (said && said.some((sign, seat) => sign !== Math.sign(outcome[seat]!)))
        return { step: 'outcome', good: false, fault: 'the last act says another outcome' };
    return { step: 'outcome', good: true, detail: outcome.join(' ') };
}
