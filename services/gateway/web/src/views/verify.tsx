// verify.tsx: the judgement of a match file, computed in this browser, explained sentence by sentence.
import { useSignal } from '@preact/signals';
import type { Given } from '../matchfile/dice';
import type { Own } from '../matchfile/own';
import type { Finding, Judgement, Step } from '../matchfile/verify';
import { faultWords } from '../words/faults';
import { both, t, type Both } from '../words/say';
import { ownIn } from '../net/dice';
import { me } from '../net/house';
import { base64Of } from '../net/ids';
import { fetchFile } from './replay_data';
import type { Face, Names } from '../games/face';

const SECRETS_MOST = 400;

const GOOD: Record<Step, Both> = {
    records: [
        'All {count} records are the bytes that were written.',
        'Alle {count} Datensätze sind die geschriebenen Bytes.',
    ],
    chain: [
        'Each of the {count} acts carries the hash of everything before it: nothing was changed, left out or put in.',
        'Jeder der {count} Schritte trägt die Prüfsumme von allem davor: Nichts wurde geändert, weggelassen ' +
            'oder eingeschoben.',
    ],
    end: [
        'The end names the same last act and the same last hash.',
        'Das Ende nennt denselben letzten Schritt und dieselbe letzte Prüfsumme.',
    ],
    dice: [
        'The dice’s secret is the one the house was committed to before it saw anything, and {count} ' +
            '{count|seat|seats} mixed in bytes that fit what was posted first.',
        'Das Geheimnis der Würfel ist das, auf das sich das Haus vorher festgelegt hatte, und {count} ' +
            '{count|Platz mischte|Plätze mischten} Bytes dazu, die zum vorher Gezeigten passen.',
    ],
    seals: [
        'All {count} sealed messages open with the keys that were shown at the end, and {detail} times ' +
            'somebody was told something. Each act has one for every seat, all of one size, so that nobody ' +
            'could tell whom it was.',
        'Alle {count} versiegelten Nachrichten gehen mit den am Ende gezeigten Schlüsseln auf, und ' +
            '{detail}-mal wurde jemandem etwas gesagt. Jeder Schritt hat eine für jeden Platz, alle gleich ' +
            'groß, so dass niemand sah, wem.',
    ],
    outcome: ['The outcome is what the last act says.', 'Der Ausgang ist der, den der letzte Schritt nennt.'],
};
const BAD: Record<Step, Both> = {
    records: ['The file is damaged or no match file', 'Die Datei ist beschädigt oder keine Partiedatei'],
    chain: ['The chain breaks', 'Die Kette reißt'],
    end: ['The end is not this match’s', 'Das Ende gehört nicht zu dieser Partie'],
    dice: ['The dice are not those promised', 'Die Würfel sind nicht die versprochenen'],
    seals: ['The sealed messages are not in order', 'Die versiegelten Nachrichten stimmen nicht'],
    outcome: ['The outcome does not fit', 'Der Ausgang passt nicht'],
};
const NO_SEALS: Both = [
    'Nothing secret was ever said in this match, so nothing is sealed.',
    'In dieser Partie wurde nie etwas Geheimes gesagt, also ist nichts versiegelt.',
];
const OPEN_DICE: Both = [
    'The dice are open: made from the seed {seed}, known to everybody from the start.',
    'Die Würfel sind offen: aus der Zahl {seed}, die von Anfang an alle kannten.',
];

const WHOSE: Record<Given['origin'], Both> = {
    ORIGIN_OWN: ['its own bytes', 'eigene Bytes'],
    ORIGIN_GATEWAY: ['bytes of the house’s gateway', 'Bytes des Zugangs des Hauses'],
    ORIGIN_HOUSE: ['bytes of the house', 'Bytes des Hauses'],
};
const BECAME: Record<Given['became'], Both> = {
    revealed: ['', ''],
    withheld: [', withheld after the others had shown theirs', ', zurückgehalten, als die anderen ihre zeigten'],
    unannounced: [', never announced', ', nie angekündigt'],
};

const OWN: Record<Own, Both> = {
    own: [
        'The bytes for {name} are those this browser made. All hashes it was shown stand before them.',
        'Die Bytes für {name} sind die, die dieser Browser gemacht hat. Davor stehen alle Prüfsummen, die er sah.',
    ],
    without: [
        'The bytes that this browser made for {name} are not in.',
        'Die Bytes, die dieser Browser für {name} gemacht hat, sind nicht darin.',
    ],
    forged: [
        'This browser was told other hashes than stand here, or gave other bytes for {name}. Keep the file.',
        'Diesem Browser wurden andere Prüfsummen gezeigt, als hier stehen, oder er gab andere Bytes für {name}. ' +
            'Behalte die Datei.',
    ],
};

// What this browser gave, and whether it is in.
function Ours({ own, names }: { own: readonly { seat: number; own: Own }[]; names: Names }) {
    return (
        <>
            {own.map((one) => (
                <p key={one.seat} class={`ours small ${one.own === 'forged' ? 'bad' : ''}`}>
                    {both(OWN[one.own], { name: names.name(one.seat) })}
                </p>
            ))}
        </>
    );
}

// Who gave bytes to the dice, and whose they were.
function Whose({ judged, names }: { judged: Judgement; names: Names }) {
    if (judged.given.length === 0) return null;
    return (
        <ul class="whose small">
            {judged.given.map((one) => (
                <li key={one.seat}>
                    {names.name(one.seat)}: {both(WHOSE[one.origin])}
                    {both(BECAME[one.became])}
                </li>
            ))}
        </ul>
    );
}

function Line({ finding }: { finding: Finding }) {
    const isOpen = finding.detail?.startsWith('open:');
    const text = !finding.good
        ? `${both(BAD[finding.step])}: ${faultWords(finding.fault ?? '')}`
        : isOpen
          ? both(OPEN_DICE, { seed: finding.detail?.slice(5) })
          : finding.step === 'seals' && finding.count === 0
            ? both(NO_SEALS)
            : both(GOOD[finding.step], { count: finding.count, detail: finding.detail });
    return (
        <li class={finding.good ? 'good' : 'bad'}>
            <span aria-hidden="true">{finding.good ? '✓' : '✗'}</span> {text}
        </li>
    );
}

// Not a mere link, since a private table's file is given for its code only.
async function download(id: string): Promise<void> {
    const bytes = await fetchFile(id);
    if (!bytes) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = `${id}.match`;
    link.click();
    URL.revokeObjectURL(link.href);
}

// What each was told in secret while it was one, in the words of the game where it has some.
function Secrets({ judged, face, names }: { judged: Judgement; face: Face; names: Names }) {
    const rows = judged.told.flatMap(({ act, seat, event }) => {
        const said = face.sentence(event, { ...names, seat });
        return said === null ? [] : [{ act, text: `${names.name(seat)}: ${said}` }];
    });
    if (rows.length === 0) return null;
    return (
        <details>
            <summary>
                {t('secrets_opened')} <span class="chip num">{rows.length}</span>
            </summary>
            <ol class="secrets" tabIndex={0} aria-label={t('secrets_opened')}>
                {rows.slice(0, SECRETS_MOST).map((row, n) => (
                    <li key={n}>
                        <span class="soft num">{row.act}</span> {row.text}
                    </li>
                ))}
            </ol>
        </details>
    );
}

export function Verify({ id, face, names }: { id: string; face: Face; names: Names }) {
    const judged = useSignal<Judgement | 'busy' | 'none' | null>(null);
    const own = useSignal<{ seat: number; own: Own }[]>([]);
    const run = async () => {
        judged.value = 'busy';
        const bytes = await fetchFile(id);
        if (!bytes) {
            judged.value = 'none';
            return;
        }
        const { verify } = await import('../matchfile/verify');
        const found = verify(bytes, face.outcome);
        const player = me.value?.player;
        own.value = found.good && found.file && player ? await ownIn(found.file, player, base64Of(id)) : [];
        judged.value = found;
    };
    const result = judged.value;
    return (
        <div class="verify stack">
            <p class="small soft">{t('verify_more')}</p>
            <div class="buttons">
                <button class="button main" onClick={() => void run()} disabled={result === 'busy'}>
                    {t('verify')}
                </button>
                <button class="button" onClick={() => void download(id)}>
                    {t('get_file')}
                </button>
            </div>
            <div role="status">
                {result === 'busy' ? <p>{t('verifying')}</p> : null}
                {result === 'none' ? <p class="notice bad">{t('no_replay')}</p> : null}
                {result !== null && typeof result === 'object' ? (
                    <>
                        <h2 class={result.good ? 'good' : 'bad'}>{t(result.good ? 'holds' : 'holds_not')}</h2>
                        <ul class="findings">
                            {result.findings.map((one) => (
                                <Line key={one.step} finding={one} />
                            ))}
                        </ul>
                        <Whose judged={result} names={names} />
                        <Ours own={own.value} names={names} />
                        <Secrets judged={result} face={face} names={names} />
                        <p class="small soft chainhex">{result.chain}</p>
                        <p class="small">{t('verify_all')}</p>
                        <code class="command">arbiter verify {id}.match</code>
                    </>
                ) : null}
            </div>
        </div>
    );
}
