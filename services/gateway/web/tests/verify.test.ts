// verify.test.ts: the browser's judgement of real match files, and of the same with single bytes changed.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { outcome as objectron } from '../src/games/objectron/outcome';
import { outcome as quests } from '../src/games/quests/outcome';
import { outcome as treasure } from '../src/games/treasure/outcome';
import { winnersSaid } from '../src/games/words';
import { openBoxes } from '../src/matchfile/boxes';
import { readMessage, type Read } from '../src/matchfile/bytes';
import { hex, order, sha, utf8 } from '../src/matchfile/hashes';
import type { Says } from '../src/matchfile/outcome';
import { verify } from '../src/matchfile/verify';

// Who has won is read by each game itself, or by its words.json.
const SAYS: Record<string, Says | undefined> = {
    nim: winnersSaid({ fields: { winners: 'winners' } }),
    quests,
    objectron,
    treasure,
};

declare const TEST_FOLDER: string;
const read = (game: string): Uint8Array => new Uint8Array(readFileSync(join(TEST_FOLDER, 'files', `${game}.match`)));

for (const game of ['hosted', 'nim', 'quests', 'dead', 'objectron', 'treasure'])
    test(`a real match of ${game} holds`, () => {
        const judged = verify(read(game), SAYS[game]);
        assert.deepEqual(
            judged.findings.filter((one) => !one.good),
            [],
        );
        assert.deepEqual(
            judged.findings.map((one) => one.step),
            ['records', 'chain', 'end', 'dice', 'seals', 'outcome'],
        );
        assert.equal(judged.chain, hex(judged.file?.end?.['chain']));
        assert.ok((judged.file?.acts.length ?? 0) > 5);
    });

test('no byte of a file changes unnoticed', () => {
    const whole = read('nim');
    for (let at = 0; at < whole.length; at++) {
        const bytes = whole.slice();
        bytes[at]! ^= 1 << at % 8;
        assert.equal(verify(bytes).good, false, `byte ${at}`);
    }
});

test('a file cut off anywhere does not hold', () => {
    const whole = read('nim');
    for (let size = 0; size < whole.length; size++)
        assert.equal(verify(whole.subarray(0, size)).good, false, `${size} bytes`);
});

// Puts right the check of the record that holds byte `at`: what a forger would do.
function mended(bytes: Uint8Array, at: number): Uint8Array {
    let from = utf8('arbiter match 1\n').length;
    const view = new DataView(bytes.buffer);
    while (from + 12 + view.getUint32(from) <= at) from += 12 + view.getUint32(from);
    const size = view.getUint32(from);
    bytes.set(sha(order(size, 4), bytes.subarray(from + 12, from + 12 + size)).subarray(0, 8), from + 4);
    return bytes;
}

function find(bytes: Uint8Array, piece: Uint8Array): number {
    for (let at = 0; at + piece.length <= bytes.length; at++)
        if (piece.every((byte, n) => bytes[at + n] === byte)) return at;
    throw new Error('the piece is not there');
}

test('a forged act, with its check put right, breaks the chain', () => {
    const whole = read('quests');
    const file = verify(whole).file!;
    const at = find(whole, file.acts[9]!['body']);
    const forged = whole.slice();
    forged[at + 2]! ^= 1;
    const judged = verify(mended(forged, at));
    assert.match(judged.findings.find((one) => !one.good)?.fault ?? '', /^act 10: its chain/);
});

test('another dice secret, with its check put right, is not the one committed to', () => {
    const whole = read('nim');
    const at = find(whole, verify(whole).file!.end!['dice_secret']);
    const forged = whole.slice();
    forged[at]! ^= 1;
    const judged = verify(mended(forged, at));
    assert.deepEqual(
        judged.findings.filter((one) => !one.good).map((one) => one.step),
        ['dice'],
    );
});

test('a turned outcome, with its check put right, is not what the last act says', () => {
    const whole = read('nim');
    const outcome: number[] = verify(whole).file!.end!['outcome'];
    const zigzag = Uint8Array.from(outcome.flatMap((sign) => [0x20, sign > 0 ? 2 * sign : -2 * sign - 1]));
    const at = find(whole, zigzag);
    const forged = whole.slice();
    forged[at + 1] = forged[at + 1] === 2 ? 1 : 2;
    const judged = verify(mended(forged, at), SAYS['nim']);
    assert.deepEqual(
        judged.findings.filter((one) => !one.good).map((one) => one.step),
        ['outcome'],
    );
});

test('chosen bytes for the dice, with hash and check put right, are not what the match was told', () => {
    const whole = read('hosted');
    const contribution = verify(whole).file!.contributions.find((one) => one['revealed'])!;
    const chosen: Uint8Array = contribution['revealed'].slice();
    chosen[0]! ^= 1;
    const forged = whole.slice();
    const at = find(whole, contribution['revealed']);
    forged.set(chosen, at);
    forged.set(sha(chosen), find(whole, contribution['hash']));
    const judged = verify(mended(forged, at));
    assert.deepEqual(
        judged.findings.filter((one) => !one.good).map((one) => [one.step, one.fault]),
        [['dice', `seat ${(contribution['seat'] ?? 0) + 1}: the match was told another hash`]],
    );
});

// The files that the verifiers in C and Python refuse, too: tests/unit/common/match/forged_dice.py makes them.
const DICE = join(TEST_FOLDER, '../../../../tests/unit/common/match');
const CLUMSY = /is not what its check says|is cut off|stands where it cannot/;

test('a genuine match says whose bytes its dice were made of', () => {
    const judged = verify(new Uint8Array(readFileSync(join(DICE, 'nim-house-2.match'))), SAYS['nim']);
    assert.ok(judged.good, JSON.stringify(judged.findings));
    assert.deepEqual(judged.given, [
        { seat: 0, origin: 'ORIGIN_OWN', became: 'revealed' },
        { seat: 1, origin: 'ORIGIN_GATEWAY', became: 'withheld' },
    ]);
    const older = verify(new Uint8Array(readFileSync(join(DICE, 'nim-house.match'))), SAYS['nim']);
    assert.ok(older.good, JSON.stringify(older.findings));
    assert.deepEqual(
        older.given.map((one) => one.origin),
        ['ORIGIN_HOUSE', 'ORIGIN_HOUSE'],
    );
});

test('every forged history of dice is refused', () => {
    const names = readdirSync(join(DICE, 'forged'));
    assert.ok(names.length >= 20);
    for (const name of names) {
        const judged = verify(new Uint8Array(readFileSync(join(DICE, 'forged', name))), SAYS['nim']);
        const fault = judged.findings.find((one) => !one.good)?.fault ?? '';
        assert.equal(judged.good, false, name);
        assert.doesNotMatch(fault, CLUMSY, name);
    }
});

test('a record with a field that nobody reads is refused', () => {
    const whole = read('nim');
    const from = utf8('arbiter match 1\n').length;
    const size = new DataView(whole.buffer).getUint32(from);
    // A field 15 at the end of the first record, whose length and check are put right.
    const record = new Uint8Array([...whole.subarray(from + 12, from + 12 + size), 0x78, 0x01]);
    const length = order(record.length, 4);
    const forged = new Uint8Array([
        ...whole.subarray(0, from),
        ...length,
        ...sha(length, record).subarray(0, 8),
        ...record,
        ...whole.subarray(from + 12 + size),
    ]);
    assert.match(verify(forged).findings[0]?.fault ?? '', /more than is read/);
});

test('every sealed message opens, and tells of hands and draws', () => {
    const { told, findings } = verify(read('quests'));
    assert.ok(told.length > 50);
    assert.equal(findings.find((one) => one.step === 'seals')?.detail, String(told.length));
    const kinds = new Set(told.map(({ event }) => Object.keys(event)[0]));
    for (const kind of ['hand', 'drew']) assert.ok(kinds.has(kind), kind);
});

test('a box from elsewhere does not open', () => {
    const { file } = verify(read('quests'));
    const boxes = (act: Read): Uint8Array[] => readMessage('arbiter.stream.ActBody', act['body'])['boxes'] ?? [];
    assert.throws(() => openBoxes(file!, (act) => boxes(act).reverse()), /act \d+: the box of seat \d does not open/);
    const moved = { ...file!, acts: file!.acts.map((act) => ({ ...act, number: String(Number(act['number']) + 1) })) };
    assert.throws(() => openBoxes(moved, boxes), /its nonce is not the one of this place/);
});
