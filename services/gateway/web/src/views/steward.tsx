// steward.tsx: looking after people and matches, for the operator and helpers: lists, deeds with reason, the audit.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { titleOf } from '../games/face';
import type { Answer, Ask, Audited, Player, Table } from '../generated/lobby';
import { hexOf } from '../net/ids';
import { askHouse } from '../net/steward';
import { NOTICE_BYTES_MOST, REASON_BYTES_MOST, isTooLong } from '../ui/name';
import { Dialog } from '../ui/parts';
import { answerWords } from '../words/refusals';
import { language, t } from '../words/say';
import type { Word } from '../words/words';

const EVERY_MS = 5000;
const MINUTE_MS = 60_000;
// For how long somebody is banned or silenced; 0: without an end.
const SPANS: readonly (readonly [number, Word])[] = [
    [60, 'an_hour'],
    [1440, 'a_day'],
    [10_080, 'a_week'],
    [0, 'for_good'],
];
// What a helper does goes away again within a day.
const HELPER_MINUTES = 1440;
const HELPER_SPANS = SPANS.filter(([minutes]) => minutes > 0 && minutes <= HELPER_MINUTES);

type DeedName = 'mute' | 'ban' | 'forget' | 'abort';

// A deed that somebody is about to do.
interface Planned {
    deed: DeedName;
    whom: string; // The name, or the match in words.
    match?: string; // Its id.
}

interface Lists {
    people: readonly Player[];
    more: boolean;
    matches: readonly Table[];
    deeds: readonly Audited[];
    announced: { text?: string; stop_ms?: string } | undefined;
    // Who looks is a helper: null until the house has said so.
    isHelper: boolean | null;
    // How far the house's clock is ahead of this one.
    aheadMs: number;
    fault: string;
}
const NOTHING: Lists = {
    people: [],
    more: false,
    matches: [],
    deeds: [],
    announced: undefined,
    isHelper: null,
    aheadMs: 0,
    fault: '',
};

async function readLists(token: string, prefix: string): Promise<Lists> {
    const [people, matches, audit] = await Promise.all([
        askHouse(token, { list_players: { prefix } }),
        askHouse(token, { list_tables: { all: true, phase: 'PHASE_PLAYING' } }),
        askHouse(token, { list_audit: { limit: 30 } }),
    ]);
    return {
        people: people.players?.players ?? [],
        more: people.players?.more ?? false,
        matches: matches.tables?.tables ?? [],
        deeds: audit.audit?.deeds ?? [],
        announced: matches.tables?.announced,
        isHelper: audit.audit ? audit.audit.helper === true : null,
        aheadMs: audit.audit?.now_ms ? Number(audit.audit.now_ms) - Date.now() : 0,
        fault: [people, matches, audit].map(answerWords).find((words) => words !== '') ?? '',
    };
}

export function timeWords(ms: string | undefined): string {
    return new Date(Number(ms ?? 0)).toLocaleString(language.value, { dateStyle: 'short', timeStyle: 'short' });
}

// By the house's clock.
function askOf(planned: Planned, reason: string, minutes: number, aheadMs: number): Ask {
    const until_ms = minutes > 0 ? String(Math.round(Date.now() + aheadMs + minutes * MINUTE_MS)) : undefined;
    const why = reason === '' ? undefined : reason;
    switch (planned.deed) {
        case 'mute':
            return { mute_player: { name: planned.whom, reason: why, until_ms } };
        case 'ban':
            return { ban_player: { name: planned.whom, reason: why, until_ms } };
        case 'abort':
            return { abort_match: { match_id: planned.match, reason: why } };
        case 'forget':
            return { forget_player: { name: planned.whom } };
    }
}

// Asks once more, with what is to be said to him. What cannot be undone wants his name typed.
function Confirm({
    planned,
    lists,
    onDo,
    onClose,
}: {
    planned: Planned;
    lists: Lists;
    onDo: (ask: Ask) => void;
    onClose: () => void;
}) {
    const reason = useSignal('');
    const minutes = useSignal(60);
    const typed = useSignal('');
    const hasSpan = planned.deed === 'mute' || planned.deed === 'ban';
    const isForget = planned.deed === 'forget';
    const isLong = isTooLong(reason.value, REASON_BYTES_MOST);
    const title = t(`do_${planned.deed}`, { whom: planned.whom });
    return (
        <Dialog title={title} onClose={onClose}>
            <form
                class="stack"
                onSubmit={(event) => {
                    event.preventDefault();
                    onDo(askOf(planned, reason.value.trim(), minutes.value, lists.aheadMs));
                }}
            >
                <p>{t(`means_${planned.deed}`)}</p>
                {hasSpan ? (
                    <label class="field">
                        <span>{t('how_long')}</span>
                        <select
                            class="input"
                            value={minutes.value}
                            onChange={(event) => {
                                minutes.value = Number(event.currentTarget.value);
                            }}
                        >
                            {(lists.isHelper === false ? SPANS : HELPER_SPANS).map(([span, word]) => (
                                <option key={span} value={span}>
                                    {t(word)}
                                </option>
                            ))}
                        </select>
                    </label>
                ) : null}
                <label class="field">
                    <span>{t(isForget ? 'type_name' : 'reason_read')}</span>
                    <input
                        class="input"
                        value={isForget ? typed.value : reason.value}
                        onInput={(event) => {
                            (isForget ? typed : reason).value = event.currentTarget.value;
                        }}
                    />
                </label>
                {isLong ? (
                    <p class="notice bad" role="alert">
                        {t('reason_too_long')}
                    </p>
                ) : null}
                <div class="buttons">
                    <button class="button bad" disabled={isLong || (isForget && typed.value !== planned.whom)}>
                        {t('do_it')}
                    </button>
                    <button type="button" class="button" onClick={onClose}>
                        {t('not_yet')}
                    </button>
                </div>
            </form>
        </Dialog>
    );
}

interface Doing {
    isHelper: boolean;
    // Until when what a helper may change lasts at most.
    atMostMs: number;
    plan: (planned: Planned) => void;
    now: (ask: Ask) => void;
}

function Person({ one, doing }: { one: Player; doing: Doing }) {
    const whom = one.name ?? '';
    const now = (ask: Ask) => () => doing.now(ask);
    // A helper changes nothing that lasts longer than what a helper may do.
    const may = (until_ms: string | undefined) =>
        !doing.isHelper || (until_ms !== undefined && Number(until_ms) <= doing.atMostMs);
    return (
        <li class="tablerow person">
            <div class="grow">
                <strong>{whom}</strong> {one.bot ? <span class="chip">{t('bot')}</span> : null}{' '}
                {one.muted ? <span class="chip warm">{t('is_muted')}</span> : null}{' '}
                {one.banned ? (
                    <span class="chip warm">
                        {one.until_ms ? t('is_banned_until', { time: timeWords(one.until_ms) }) : t('is_banned')}
                    </span>
                ) : null}
            </div>
            {one.bot ? null : (
                <div class="buttons">
                    {one.muted ? (
                        <button
                            class="button small"
                            hidden={!may(one.muted_until_ms)}
                            onClick={now({ mute_player: { name: whom, muted: false } })}
                        >
                            {t('unmute')}
                        </button>
                    ) : (
                        <button class="button small" onClick={() => doing.plan({ deed: 'mute', whom })}>
                            {t('mute')}
                        </button>
                    )}
                    {one.banned ? (
                        <button
                            class="button small"
                            hidden={!may(one.until_ms)}
                            onClick={now({ ban_player: { name: whom, banned: false } })}
                        >
                            {t('unban')}
                        </button>
                    ) : (
                        <button class="button small" onClick={() => doing.plan({ deed: 'ban', whom })}>
                            {t('ban')}
                        </button>
                    )}
                    {doing.isHelper ? null : (
                        <button
                            class="button small bad"
                            disabled={one.banned}
                            onClick={() => doing.plan({ deed: 'forget', whom })}
                        >
                            {t('forget')}
                        </button>
                    )}
                </div>
            )}
        </li>
    );
}

function MatchRow({ one, doing }: { one: Table; doing: Doing }) {
    const who = (one.seats ?? []).map((seat) => seat.player?.name ?? '–').join(', ');
    const whom = `${titleOf(one.game ?? '')} (${who})`;
    return (
        <li class="tablerow">
            <div class="grow">
                <strong>{titleOf(one.game ?? '')}</strong> <span class="soft small">{who}</span>{' '}
                {one.private_table ? <span class="chip">{t('by_link')}</span> : null}
            </div>
            {doing.isHelper ? null : (
                <button
                    class="button small bad"
                    onClick={() => doing.plan({ deed: 'abort', whom, match: one.match_id })}
                >
                    {t('end_match')}
                </button>
            )}
        </li>
    );
}

// What everybody is told; nobody has to confirm what can be taken back.
function Announcing({ lists, doing }: { lists: Lists; doing: Doing }) {
    const text = useSignal('');
    const minutes = useSignal('10');
    const announce = (event: Event) => {
        event.preventDefault();
        if (!fits) return;
        const in_ms = Number(minutes.value) * MINUTE_MS;
        const at_ms = Math.round(Date.now() + lists.aheadMs + in_ms);
        doing.now({ announce: { text: text.value.trim(), stop_ms: in_ms > 0 ? String(at_ms) : undefined } });
        text.value = '';
    };
    const isLong = isTooLong(text.value, NOTICE_BYTES_MOST);
    const fits = text.value.trim() !== '' && !isLong;
    return (
        <section class="card list">
            <h2>{t('announce')}</h2>
            {lists.announced?.text ? (
                <p class="row between announced">
                    <span>
                        {lists.announced.text}{' '}
                        {lists.announced.stop_ms ? (
                            <span class="soft small">{t('stop_at', { time: timeWords(lists.announced.stop_ms) })}</span>
                        ) : null}
                    </span>
                    <button class="button small" onClick={() => doing.now({ announce: {} })}>
                        {t('take_back')}
                    </button>
                </p>
            ) : null}
            <form class="row announcing" onSubmit={announce}>
                <input
                    class="input grow"
                    aria-label={t('announce_text')}
                    placeholder={t('announce_text')}
                    value={text.value}
                    onInput={(event) => {
                        text.value = event.currentTarget.value;
                    }}
                />
                <label class="row">
                    <span class="soft small">{t('stop_in')}</span>
                    <input
                        class="input minutes"
                        type="number"
                        min="0"
                        value={minutes.value}
                        onInput={(event) => {
                            minutes.value = event.currentTarget.value;
                        }}
                    />
                </label>
                <button class="button" disabled={!fits}>
                    {t('announce_now')}
                </button>
            </form>
            {isLong ? (
                <p class="notice bad" role="alert">
                    {t('notice_too_long')}
                </p>
            ) : null}
        </section>
    );
}

function targetOf(one: Audited): string {
    if (one.player) return one.player.name ?? hexOf(one.player.player);
    if (one.match_id) return hexOf(one.match_id);
    if (one.admitted) return one.admitted.name ?? hexOf(one.admitted.key);
    return one.text ?? '';
}

function deedWords(one: Audited): string {
    const deed = (one.deed ?? 'DEED_UNSPECIFIED').replace('DEED_', '').toLowerCase() as Lowercase<string>;
    const word = `${one.undone ? 'undid' : 'did'}_${deed}` as Word;
    return t(word, { whom: targetOf(one), time: one.until_ms ? t('until', { time: timeWords(one.until_ms) }) : '' });
}

function Deed({ one }: { one: Audited }) {
    const isDone = one.verdict === 'VERDICT_DONE';
    return (
        <li class="deed">
            <span class="soft small">{timeWords(one.at_ms)}</span>{' '}
            <strong title={hexOf(one.key)}>{one.token ?? one.key_name ?? hexOf(one.key).slice(0, 8)}</strong>
            {one.helper ? <span class="soft small"> {t('as_helper')}</span> : null} {deedWords(one)}
            {isDone ? null : <span class="bad"> {t('refused', { why: answerWords({ verdict: one.verdict }) })}</span>}
            {one.reason ? <span class="soft"> – {one.reason}</span> : null}
        </li>
    );
}

function Section({ title, empty, children }: { title: Word; empty: Word; children: preact.JSX.Element[] }) {
    return (
        <section class="card list">
            <h2>{t(title)}</h2>
            {children.length > 0 ? <ul>{children}</ul> : <p class="soft small">{t(empty)}</p>}
        </section>
    );
}

// Read again every few seconds, and at once behind each deed.
function useLists(token: string, prefix: Signal<string>) {
    const lists = useSignal(NOTHING);
    const read = async () => {
        lists.value = await readLists(token, prefix.value);
    };
    useEffect(() => {
        void read();
        const timer = setInterval(() => {
            if (!document.hidden) void read();
        }, EVERY_MS);
        return () => clearInterval(timer);
    }, [token, prefix.value]);
    return { lists, read };
}

function People({ lists, prefix, doing }: { lists: Lists; prefix: Signal<string>; doing: Doing }) {
    return (
        <section class="card list">
            <h2>{t('people')}</h2>
            <input
                class="input"
                aria-label={t('name_begins')}
                placeholder={t('name_begins')}
                value={prefix.value}
                onInput={(event) => {
                    prefix.value = event.currentTarget.value;
                }}
            />
            {lists.people.length > 0 ? (
                <ul class="people">
                    {lists.people.map((one) => (
                        <Person key={one.player} one={one} doing={doing} />
                    ))}
                </ul>
            ) : (
                <p class="soft small">{t('none_people')}</p>
            )}
            {lists.more ? <p class="soft small">{t('more_people')}</p> : null}
        </section>
    );
}

export function Steward({ token }: { token: string }) {
    const prefix = useSignal('');
    const planned = useSignal<Planned | null>(null);
    const fault = useSignal('');
    const { lists, read } = useLists(token, prefix);
    const perform = async (ask: Ask) => {
        planned.value = null;
        const answer: Answer = await askHouse(token, ask);
        fault.value = answerWords(answer);
        await read();
    };
    const now = lists.value;
    const doing: Doing = {
        // Before the house has said who looks, less is offered rather than more.
        isHelper: now.isHelper !== false,
        atMostMs: Date.now() + now.aheadMs + HELPER_MINUTES * MINUTE_MS,
        plan: (what) => {
            planned.value = what;
        },
        now: (ask) => void perform(ask),
    };
    return (
        <div class="stack steward">
            {fault.value || now.fault ? (
                <p class="notice bad" role="alert">
                    {fault.value || now.fault}
                </p>
            ) : null}
            <People lists={now} prefix={prefix} doing={doing} />
            <Section title="live_matches" empty="none_matches">
                {now.matches.map((one) => (
                    <MatchRow key={one.table} one={one} doing={doing} />
                ))}
            </Section>
            {doing.isHelper ? null : <Announcing lists={now} doing={doing} />}
            <Section title="audit" empty="none_deeds">
                {now.deeds.map((one) => (
                    <Deed key={one.number} one={one} />
                ))}
            </Section>
            {planned.value ? (
                <Confirm
                    planned={planned.value}
                    lists={now}
                    onDo={(ask) => void perform(ask)}
                    onClose={() => {
                        planned.value = null;
                    }}
                />
            ) : null}
        </div>
    );
}
