// own.test.ts: a page's own bytes for hosted dice: shown only behind all hashes, and found, or missed, in the file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dice } from '../src/generated/browser';
import type { Read } from '../src/matchfile/bytes';
import type { MatchFile } from '../src/matchfile/file';
import { bytesOf, joined, order, sha, textOf } from '../src/matchfile/hashes';
import { answerTo, contribution, judgeOwn, type Note } from '../src/matchfile/own';

const MATCH = new Uint8Array(16).fill(3);
const COMMITMENT = sha(new Uint8Array(32).fill(0xd1));
const SECRET = new Uint8Array(32).fill(7);
const SEAT = 1;
const mine = contribution(SECRET, MATCH, SEAT, COMMITMENT);
const OWN = textOf(sha(mine));
const OTHER = textOf(new Uint8Array(32).fill(9));

function dice(wanted: Dice['wanted'], hashes: Record<number, string>, more: Partial<Dice> = {}): Dice {
    return {
        match_id: textOf(MATCH),
        seat: SEAT,
        commitment: textOf(COMMITMENT),
        seats: [0, SEAT],
        hashes: Object.entries(hashes).map(([seat, hash]) => ({ seat: Number(seat), hash })),
        wanted,
        ...more,
    };
}
const asked = dice('WANTED_HASH', {});
const ready = dice('WANTED_REVEAL', { 0: OTHER, 1: OWN });
const note: Note = { commitment: textOf(COMMITMENT), seats: [0, SEAT] };

test('the hash is posted, and after all hashes the bytes of it', () => {
    const first = answerTo(asked, SECRET, undefined)!;
    assert.equal(first.said.hash, OWN);
    assert.equal(first.said.reveal, undefined);
    const second = answerTo(ready, SECRET, first.note)!;
    assert.deepEqual(bytesOf(second.said.reveal!), mine.slice());
    assert.deepEqual(second.note.hashes, { 0: OTHER, 1: OWN });
    // After a reload the same.
    assert.deepEqual(answerTo(asked, SECRET, first.note)?.said, first.said);
    assert.deepEqual(answerTo(ready, SECRET, second.note)?.said, second.said);
});

test('a gateway that wants the bytes too early gets none', () => {
    for (const early of [
        dice('WANTED_REVEAL', {}),
        dice('WANTED_REVEAL', { 1: OWN }),
        dice('WANTED_REVEAL', { 0: OTHER }),
        dice('WANTED_REVEAL', { 0: '', 1: OWN }),
        dice('WANTED_REVEAL', { 0: OTHER, 1: OTHER }),
        dice('WANTED_REVEAL', { 0: OTHER, 1: OWN }, { hashes: [...ready.hashes!, { seat: 0, hash: OWN }] }),
        dice('WANTED_REVEAL', { 0: OTHER, 1: OWN }, { commitment: OTHER }),
        dice('WANTED_REVEAL', { 0: OTHER, 1: OWN }, { seats: [0] }),
        dice('WANTED_REVEAL', { 1: OWN }, { seats: [SEAT] }),
        dice('WANTED_UNSPECIFIED', { 0: OTHER, 1: OWN }),
    ])
        assert.equal(answerTo(early, SECRET, note), null, JSON.stringify(early));
    const isSilent = dice('WANTED_REVEAL', { 1: OWN }, { silent: [0] });
    assert.ok(answerTo(isSilent, SECRET, note));
});

test('who has shown its bytes once shows them for no other hashes, and for no other commitment', () => {
    const shown: Note = { ...note, hashes: { 0: OTHER, 1: OWN } };
    assert.equal(answerTo(dice('WANTED_REVEAL', { 0: OWN, 1: OWN }), SECRET, shown), null);
    assert.equal(answerTo(asked, SECRET, shown), null);
    assert.equal(answerTo(dice('WANTED_HASH', {}, { commitment: OTHER }), SECRET, note), null);
});

test("an aborted match's id brings other bytes", () => {
    const again = contribution(SECRET, MATCH, SEAT, sha(COMMITMENT));
    assert.notDeepEqual(again, mine);
    assert.notDeepEqual(contribution(SECRET, MATCH, 0, COMMITMENT), mine);
});

// An act of the house's: field 1 of ActBody, 4 of PublicEvent, the kind, and there seat and bytes.
function said(kind: number, seat: number, bytes: Uint8Array): Read {
    const piece = (field: number, inside: Uint8Array) =>
        joined(order((field << 3) | 2, 1), order(inside.length, 1), inside);
    const told = joined(new Uint8Array([8, seat]), piece(2, bytes));
    return { body: piece(1, piece(4, piece(kind, told))) };
}
const HASH = 2;
const REVEALED = 3;
function file(acts: Read[], header: Read = {}): MatchFile {
    return {
        header: { match_id: MATCH, commitment: COMMITMENT, ...header },
        contributions: [],
        seats: [],
        acts,
        end: {},
        checks: 0,
    };
}
const hashes = [said(HASH, 0, bytesOf(OTHER)), said(HASH, SEAT, bytesOf(OWN))];
const shown: Note = { ...note, hashes: { 0: OTHER, 1: OWN } };

test('own bytes are found in the file, and missed', () => {
    const whole = file([...hashes, said(REVEALED, SEAT, mine), said(REVEALED, 0, mine)]);
    assert.equal(judgeOwn(whole, SEAT, SECRET, shown), 'own');
    assert.equal(judgeOwn(whole, SEAT, SECRET, undefined), 'own');
    assert.equal(judgeOwn(whole, SEAT, sha(SECRET), undefined), 'without');
    assert.equal(judgeOwn(file(hashes), SEAT, SECRET, shown), 'without');
    assert.equal(judgeOwn(file([]), SEAT, SECRET, undefined), 'without');
    assert.equal(judgeOwn(file([], { commitment: undefined }), SEAT, SECRET, undefined), 'without');
});

test('a file that tells another story than the page was told is forged', () => {
    const reveal = said(REVEALED, SEAT, mine);
    const other = said(HASH, 0, sha(mine));
    for (const acts of [
        [other, hashes[1]!, reveal], // The other's hash was chosen later.
        [hashes[1]!, reveal, hashes[0]!], // The bytes were shown before it.
        [hashes[0]!, said(HASH, SEAT, bytesOf(OTHER)), said(REVEALED, SEAT, sha(mine).slice(0, 16))],
        [...hashes, said(REVEALED, SEAT, sha(mine).slice(0, 16))],
        [hashes[0]!], // Left out.
    ])
        assert.equal(judgeOwn(file(acts), SEAT, SECRET, shown), 'forged');
    assert.equal(judgeOwn(file([...hashes, reveal], { commitment: sha(mine) }), SEAT, SECRET, shown), 'forged');
    assert.equal(judgeOwn(file([...hashes, reveal], { commitment: undefined }), SEAT, SECRET, shown), 'forged');
});

test('a header that calls own bytes those of a gateway is false', () => {
    const acts = [...hashes, said(REVEALED, SEAT, mine)];
    const called = (origin: string) => file(acts, { protocol: 2, contributors: [{ seat: SEAT, origin }] });
    assert.equal(judgeOwn(called('ORIGIN_OWN'), SEAT, SECRET, shown), 'own');
    assert.equal(judgeOwn(called('ORIGIN_GATEWAY'), SEAT, SECRET, shown), 'forged');
    assert.equal(judgeOwn(file(acts, { protocol: 2 }), SEAT, SECRET, shown), 'forged');
});
