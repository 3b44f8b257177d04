// faults.test.ts: whatever may be wrong with a match file is said in German, too.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { FAULTS, faultWords } from '../src/words/faults';
import { language } from '../src/words/say';

declare const TEST_FOLDER: string;
const SOURCE = join(TEST_FOLDER, '../src/matchfile');

afterEach(() => {
    language.value = 'en';
});

// What stands before a fault's words in code, and the three ways in which they are quoted.
const BEFORE = /Error\(|BadFile\(|bad\(|need\(|fault: |[?:] |\|\| |return /.source;
const QUOTED = [/'([a-z][^'\n]* [^'\n]*)'/, /"([a-z][^"\n]* [^"\n]*)"/, /`([^`\n]*)`/].map(({ source }) => source);

// All that is thrown, or told as a fault: what stands between colons, with {n} for what is filled in.
function partsOf(source: string): string[] {
    const said = [
        ...source.replace(/^\s*\/\/.*$/gm, '').matchAll(new RegExp(`(?:${BEFORE})\\s*(?:${QUOTED.join('|')})`, 'g')),
    ].map((found) => (found[1] ?? found[2] ?? found[3])!.replace(/\$\{[^}]*\}/g, '{n}'));
    return said
        .flatMap((sentence) => sentence.split(': '))
        .filter((part) => /[a-z]/.test(part.replace(/\{n\}/g, '')) && !/^(open:|arbiter\.)/.test(part));
}

test('every fault of a match file has German words', () => {
    const parts = new Set(readdirSync(SOURCE).flatMap((name) => partsOf(readFileSync(join(SOURCE, name), 'utf8'))));
    assert.ok(parts.size >= 30, [...parts].join('\n'));
    assert.deepEqual(
        [...parts].filter((part) => !FAULTS[part]),
        [],
    );
    assert.deepEqual(
        Object.keys(FAULTS).filter((part) => !parts.has(part) && part !== 'unreadable'),
        [],
    );
});

test('place and reason are said, and what has no words stays', () => {
    const fault = 'act 12: the box of seat 3 does not open: invalid tag';
    assert.equal(faultWords(fault), fault);
    language.value = 'de';
    assert.equal(faultWords(fault), 'Schritt 12: die Nachricht an Platz 3 geht nicht auf: invalid tag');
    assert.equal(
        faultWords('byte 70: arbiter.match.Record: holds more than is read of it'),
        'Byte 70: arbiter.match.Record: enthält mehr, als davon gelesen wird',
    );
});
