// ago.test.ts: how long something is past is said in the reader's language.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { agoWords } from '../src/words/ago';
import { language } from '../src/words/say';

const NOW = 1_800_000_000_000;
afterEach(() => {
    language.value = 'en';
});

test('the largest whole unit is said', () => {
    assert.deepEqual(
        [30, 60, 3599, 3600, 86_399, 86_400, 3 * 86_400].map((seconds) => agoWords(NOW - seconds * 1000, NOW)),
        ['just now', '1 minute ago', '59 minutes ago', '1 hour ago', '23 hours ago', 'yesterday', '3 days ago'],
    );
});

test('it is said in German, too, and of a clock that is ahead as just now', () => {
    language.value = 'de';
    assert.equal(agoWords(NOW - 300_000, NOW), 'vor 5 Minuten');
    assert.equal(agoWords(NOW + 5000, NOW), 'gerade eben');
    assert.equal(agoWords(0, NOW), '');
});
