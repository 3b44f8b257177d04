// lobby.tsx: where one comes in: a name in one click, play now, open tables, what is being played, what has ended.
import type * as preact from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Emblem } from '../games/emblem';
import { aboutOf, allGames, infoOf, titleOf } from '../games/face';
import type { Result, Table } from '../generated/lobby';
import { ask, door, hasLists, isKnown, listed, me, refreshLists, results, tables, welcome } from '../net/house';
import { hexOf } from '../net/ids';
import { setupsOf, titleOfSetup } from '../proto/setup';
import { Avatar } from '../ui/avatar';
import { Refusal, Rigged } from '../ui/parts';
import { go } from '../ui/route';
import { answerWords } from '../words/refusals';
import { agoWords } from '../words/ago';
import { t } from '../words/say';
import { CreateTable } from './create';
import { comeIn, Enter } from './enter';

const REFRESH_MS = 2000;

// What a table's set-up is called, if it comes with the game: the house knows it by its file's name only.
export function setupTitle({ game, title, setup_name: name }: Table): string {
    const listed = titleOfSetup(setupsOf(game ?? '').find((one) => one.name === name));
    return (title === name ? listed : undefined) ?? title ?? listed ?? name ?? '';
}

// At a table that one click opens nobody waits for ever for somebody who has closed his window.
const TURN_MS = String(5 * 60_000);

// The shortest way to a first move: a table that waits, or a new one with bots.
async function playNow(game: string, withBots: boolean): Promise<string> {
    const made = withBots
        ? await ask({ create_table: { game, setup_name: firstSetup(game), turn_ms: TURN_MS } })
        : await playWithPeople(game);
    if (made.verdict !== 'VERDICT_DONE' || !made.table) return answerWords(made) || t('not_now');
    if (withBots) await ask({ fill_with_bots: { table: made.table.table } });
    if (made.table.match_id) go(`/match/${hexOf(made.table.match_id)}`);
    else go(`/table/${hexOf(made.table.table)}`);
    return '';
}
// The house looks for a table with this very time only; people meet at whatever table waits, the fullest first.
async function playWithPeople(game: string): ReturnType<typeof ask> {
    const open = (await ask({ list_tables: { game, phase: 'PHASE_OPEN' } })).tables?.tables ?? [];
    const [fullest] = open
        .filter((table) => isForAll(table) && !tables.value.has(table.table ?? ''))
        .sort((a, b) => freeSeats(a) - freeSeats(b));
    const sat = fullest ? await ask({ join_table: { table: fullest.table } }) : null;
    return sat?.verdict === 'VERDICT_DONE' ? sat : ask({ quick_play: { game, turn_ms: TURN_MS } });
}
const freeSeats = (table: Table) => (table.seats ?? []).filter((seat) => !seat.player && !seat.promised).length;
const isForAll = (table: Table) => freeSeats(table) > 0 && !table.registration && !table.rigged && !table.private_table;
function firstSetup(game: string): string | undefined {
    return infoOf(game)?.play_now;
}

function QuickPlay() {
    const fault = useSignal('');
    const busy = useSignal('');
    const known = welcome.value?.games;
    // Before the house has said who one is, a click would bring in somebody new.
    const isReady = busy.value === '' && door.line.value === 'open';
    const start = async (game: string, withBots: boolean) => {
        busy.value = game;
        // Who has no name yet comes in under the proposed one: to play takes one click.
        const why = me.value ? '' : await comeIn();
        if (why !== '') {
            fault.value = why;
            busy.value = '';
            return;
        }
        fault.value = await playNow(game, withBots);
        busy.value = '';
    };
    return (
        <section class="stack" aria-labelledby="quick">
            <div class="row between">
                <h2 id="quick">{t('quick_play')}</h2>
                <span class="soft small">{t('quick_more')}</span>
            </div>
            <Refusal
                why={fault.value}
                onClose={() => {
                    fault.value = '';
                }}
            />
            <ul class="games">
                {allGames()
                    .filter((game) => !known || known.length === 0 || known.includes(game))
                    .map((game) => (
                        <li class="card game" key={game}>
                            <Emblem game={game} size={56} />
                            <div>
                                <h3>{titleOf(game)}</h3>
                                <p class="small soft">{aboutOf(game)}</p>
                            </div>
                            <div class="buttons">
                                <button
                                    class="button main small"
                                    aria-label={`${titleOf(game)}: ${t('with_bots')}`}
                                    disabled={!isReady}
                                    onClick={() => start(game, true)}
                                >
                                    {t('with_bots')}
                                </button>
                                <button
                                    class="button small"
                                    aria-label={`${titleOf(game)}: ${t('with_people')}`}
                                    disabled={!isReady}
                                    onClick={() => start(game, false)}
                                >
                                    {t('with_people')}
                                </button>
                            </div>
                        </li>
                    ))}
            </ul>
        </section>
    );
}

// Who has several seats is named once.
function namesOf(names: readonly string[]): string {
    return [...new Set(names)]
        .map((name) => {
            const n = names.filter((one) => one === name).length;
            return n > 1 ? `${name} (×${n})` : name;
        })
        .join(', ');
}

function TableRow({ table }: { table: Table }) {
    const seats = table.seats ?? [];
    const taken = seats.filter((seat) => seat.player).length;
    const isOpen = table.phase === 'PHASE_OPEN';
    return (
        <li class="tablerow">
            <Emblem game={table.game ?? ''} size={36} />
            <div class="grow">
                <strong>{titleOf(table.game ?? '')}</strong> <span class="soft small">{setupTitle(table)}</span>{' '}
                <Rigged table={table} isDiceless={infoOf(table.game ?? '')?.diceless} />
                <div class="faces">
                    {seats.map((seat) =>
                        seat.player ? (
                            <span key={seat.seat} title={seat.player.name}>
                                <Avatar avatar={seat.player.avatar} name={seat.player.name ?? ''} />
                            </span>
                        ) : (
                            <span key={seat.seat} class="nobody" title={t('free_seat')} />
                        ),
                    )}
                    <span class="small soft">
                        {namesOf(seats.flatMap((seat) => (seat.player ? [seat.player.name ?? '?'] : [])))}
                    </span>
                </div>
            </div>
            {isOpen ? (
                <>
                    <span class="chip num">
                        {taken}/{seats.length}
                    </span>
                    <button class="button small main" onClick={() => go(`/table/${hexOf(table.table)}`)}>
                        {t('join')}
                    </button>
                </>
            ) : (
                <>
                    <span class="chip live">
                        <span class="dot" /> live
                    </span>
                    <a class="button small" href={`#/match/${hexOf(table.match_id)}`}>
                        {t('watch')}
                    </a>
                </>
            )}
        </li>
    );
}

function ResultRow({ result }: { result: Result }) {
    const won = (result.players ?? [])
        .filter((_, seat) => (result.outcome?.[seat] ?? 0) > 0)
        .map((player) => player.name ?? '?');
    const hasLost = (result.outcome ?? []).some((one) => one < 0);
    const said = result.aborted
        ? t('aborted')
        : won.length > 1 && won.length === result.players?.length
          ? t('all_won')
          : won.length > 0
            ? t('has_won', { who: namesOf(won), n: new Set(won).size })
            : t(hasLost ? 'all_lost' : 'drawn');
    return (
        <li class="tablerow">
            <Emblem game={result.game ?? ''} size={36} />
            <div class="grow">
                <strong>{titleOf(result.game ?? '')}</strong>{' '}
                <span class="soft small">{agoWords(Number(result.over_ms ?? 0))}</span>{' '}
                <Rigged table={result} isDiceless={infoOf(result.game ?? '')?.diceless} />
                <div class="small soft">
                    {namesOf((result.players ?? []).map((player) => player.name ?? '?'))} · {said}
                </div>
            </div>
            <a class="button small" href={`#/replay/${hexOf(result.match_id)}`}>
                {t('replay')}
            </a>
        </li>
    );
}

function List({ title, children, empty }: { title: string; children: preact.JSX.Element[]; empty: string }) {
    return (
        <section class="card list">
            <h2>{title}</h2>
            {children.length > 0 ? <ul>{children}</ul> : <p class="soft small">{empty}</p>}
        </section>
    );
}

function JoinByCode() {
    const code = useSignal('');
    return (
        <form
            class="joincode"
            onSubmit={(event) => {
                event.preventDefault();
                if (code.value.trim()) go(`/join/${encodeURIComponent(code.value.trim())}`);
            }}
        >
            <input
                class="input"
                aria-label={t('join_code')}
                placeholder={t('join_code')}
                value={code.value}
                onInput={(event) => {
                    code.value = event.currentTarget.value;
                }}
            />
            <button class="button" disabled={code.value.trim() === ''}>
                {t('join_by_code')}
            </button>
        </form>
    );
}

// Where one sits. Of tables whose match is over only the last, and those where somebody wants another match: the rest
// stands among the finished.
function ownTables(): Table[] {
    const here = [...tables.value.values()].filter(
        ({ table, closed }) => closed === undefined && table.phase !== 'PHASE_CLOSED',
    );
    const last = here.filter(({ table }) => table.phase === 'PHASE_OVER').pop();
    return here
        .filter((one) => one.table.phase !== 'PHASE_OVER' || one === last || one.rematch.length > 0)
        .map(({ table }) => table);
}

// One's own, those that wait, those that play, and what was played.
function Tables() {
    const mine = new Set(
        [...tables.value.values()].filter(({ closed }) => closed === undefined).map(({ table }) => table.table),
    );
    const own = ownTables();
    const open = listed.value.filter((table) => table.phase === 'PHASE_OPEN' && !mine.has(table.table));
    const live = listed.value.filter(
        (table) => table.phase === 'PHASE_PLAYING' && table.spectators !== false && !mine.has(table.table),
    );
    return (
        <>
            {own.length > 0 ? (
                <List title={t('your_tables')} empty="">
                    {own.map((table) => (
                        <OwnRow key={table.table} table={table} />
                    ))}
                </List>
            ) : null}
            <div class="columns">
                <List title={t('open_tables')} empty={t('none_open')}>
                    {open.map((table) => (
                        <TableRow key={table.table} table={table} />
                    ))}
                </List>
                <List title={t('live_matches')} empty={t('none_live')}>
                    {live.map((table) => (
                        <TableRow key={table.table} table={table} />
                    ))}
                </List>
                <List title={t('finished')} empty={t('none_over')}>
                    {results.value.map((result) => (
                        <ResultRow key={result.match_id} result={result} />
                    ))}
                </List>
            </div>
        </>
    );
}

export function Lobby() {
    const creating = useSignal(false);
    const fault = useSignal('');
    // Who has no name yet comes in under the proposed one, as to play.
    const create = async () => {
        fault.value = me.value ? '' : await comeIn();
        creating.value = fault.value === '';
    };
    const line = door.line.value;
    useEffect(() => {
        if (line !== 'open') return undefined;
        void refreshLists();
        const timer = setInterval(() => {
            if (!document.hidden) void refreshLists();
        }, REFRESH_MS);
        return () => clearInterval(timer);
    }, [line]);
    return (
        <div class="wide stack">
            {me.value || (line === 'new' && isKnown) ? null : <Enter />}
            <QuickPlay />
            <div class="row between">
                <JoinByCode />
                <button class="button main" disabled={line !== 'open'} onClick={() => void create()}>
                    {t('create_table')}
                </button>
            </div>
            {fault.value ? (
                <div class="notice bad" role="alert">
                    {fault.value}
                </div>
            ) : null}
            <Tables />
            <footer class="soft small row between" hidden={!hasLists.value}>
                <span>Arbiter {welcome.value?.version ?? ''}</span>
                <a href="#/house">{t('operator')}</a>
            </footer>
            {creating.value ? (
                <CreateTable
                    onClose={() => {
                        creating.value = false;
                    }}
                />
            ) : null}
        </div>
    );
}

function OwnRow({ table }: { table: Table }) {
    const to = table.phase === 'PHASE_PLAYING' ? `#/match/${hexOf(table.match_id)}` : `#/table/${hexOf(table.table)}`;
    return (
        <li class="tablerow">
            <Emblem game={table.game ?? ''} size={36} />
            <div class="grow">
                <strong>{titleOf(table.game ?? '')}</strong> <span class="soft small">{setupTitle(table)}</span>{' '}
                <Rigged table={table} isDiceless={infoOf(table.game ?? '')?.diceless} />
            </div>
            <a class="button small main" href={to}>
                {table.phase === 'PHASE_PLAYING' ? t('go_on') : t('table')}
            </a>
        </li>
    );
}
