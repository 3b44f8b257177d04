// verify.ts: judges a match file in the browser: checks, chain, dice, seals, end. Computes everything, asks nobody.
//
// What it cannot do is play the moves again: it has no rules. `arbiter verify FILE` does, and the result says so.
import { readMessage, type Read } from './bytes';
import { chainBegin, chainNext } from './chain';
import { openBoxes, type Told } from './boxes';
import { judgeDice, type Dice, type Given } from './dice';
import { BadFile, readFile, type MatchFile } from './file';
import { hex, same } from './hashes';
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
    given: Given[]; // To hosted dice, by seat.
}

// `says`: how this game's events say who has won; without, the outcome is not compared with them.
export function verify(bytes: Uint8Array, says: Says = () => null): Judgement {
    const findings: Finding[] = [];
    let file: MatchFile | null = null;
    let chain = '';
    let told: Told[] = [];
    let given: Given[] = [];
    try {
        file = readFile(bytes);
        findings.push({ step: 'records', good: true, count: file.checks });
        const walked = walk(file);
        chain = hex(walked.chain);
        findings.push(walked.finding);
        // What stands in acts means something only if they are the acts that were played.
        if (walked.finding.good) {
            const seals = sealsOf(file);
            const dice = judgeDice(file);
            told = seals.told;
            given = dice.given;
            findings.push(endOf(file, walked.chain), diceOf(file, dice), seals.finding, outcomeOf(file, says));
        }
    } catch (fault) {
        findings.push({
            step: findings.length === 0 ? 'records' : 'chain',
            good: false,
            fault: fault instanceof BadFile || fault instanceof Error ? fault.message : String(fault),
        });
    }
    return { good: findings.every((one) => one.good), findings, file, chain, told, given };
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

function diceOf(file: MatchFile, dice: Dice): Finding {
    if (dice.fault) return { step: 'dice', good: false, fault: dice.fault };
    if (dice.isOpen) return { step: 'dice', good: true, detail: `open:${file.header['seed']}` };
    const mixed = dice.given.filter((one) => one.became === 'revealed');
    return { step: 'dice', good: true, count: mixed.length, detail: dice.key };
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
