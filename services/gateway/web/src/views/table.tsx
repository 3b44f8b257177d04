// table.tsx: a table before and after its match: who sits where, bots, the link for friends, chat.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Emblem } from '../games/emblem';
import { infoOf, titleOf } from '../games/face';
import { Preview } from '../games/preview';
import type { Table, TableSeat } from '../generated/lobby';
import { ask, door, me, tables } from '../net/house';
import { base64Of, hexOf } from '../net/ids';
import { callSeat, nameAt, namesAt } from '../net/seated';
import type { Seen } from '../net/tables';
import { Avatar } from '../ui/avatar';
import { Copy, Refusal, Rigged } from '../ui/parts';
import { go, goInstead } from '../ui/route';
import { answerWords, closingWords } from '../words/refusals';
import { t } from '../words/say';
import { Chat } from './chat';
import { timeWords } from './create';
import { Enter } from './enter';
import { PickLevel } from './level';
import { levelName, policyOf, USUAL } from './levels';
import { setupTitle } from './lobby';

// Who comes by an address sits down at once, if a seat is free: one click less.
async function sit(id: string, code: string | undefined): Promise<{ id: string; fault: string }> {
    const table = id ? base64Of(id) : undefined;
    const answer = await ask({ join_table: code ? { code } : { table } });
    if (answer.table) return { id: hexOf(answer.table.table), fault: '' };
    const watching = await ask({ spectate: code ? { code } : { table } });
    return watching.table
        ? { id: hexOf(watching.table.table), fault: '' }
        : { id, fault: answerWords(answer) || t('no_such_table') };
}

// Gets up; the answer is why not, or nothing. Who holds nothing there any more has left already.
const LEFT: readonly (string | undefined)[] = ['VERDICT_DONE', 'VERDICT_NO_SUCH_TABLE', 'VERDICT_NOT_SEATED'];
export async function leave(table: string | undefined): Promise<string> {
    const answer = await ask({ leave_table: { table } });
    if (!LEFT.includes(answer.verdict)) return answerWords(answer);
    tables.value = new Map([...tables.value].filter(([key]) => key !== table));
    return '';
}

export function TableView({ id, code }: { id: string; code?: string }) {
    const fault = useSignal('');
    const at = useSignal(id);
    const seen = tables.value.get(base64Of(at.value));
    const line = door.line.value;
    const isIn = me.value !== null;
    useEffect(() => {
        if (line !== 'open' || !isIn || seen) return;
        void sit(id, code).then((found) => {
            fault.value = found.fault;
            at.value = found.id;
        });
    }, [line, isIn]);
    const begun = seen?.table.phase === 'PHASE_PLAYING' ? seen.table.match_id : undefined;
    useEffect(() => {
        // Who goes back comes to where he was before, not here and on again.
        if (begun) goInstead(`/match/${hexOf(begun)}`);
    }, [begun]);
    if (!isIn && line === 'open')
        return (
            <div class="wide stack">
                {code ? <Invitation code={code} /> : null}
                <Enter />
            </div>
        );
    if (fault.value)
        return (
            <div class="wide">
                <p class="empty">{fault.value}</p>
                <a class="button" href="#/">
                    {t('lobby')}
                </a>
            </div>
        );
    if (!seen) return <p class="empty">{t('loading')}</p>;
    return <TableShown seen={seen} />;
}

// What somebody is asked to: set-up, time for each turn, and what is not left to chance there.
export function Terms({ table }: { table: Table }) {
    return (
        <>
            <span class="terms">
                {setupTitle(table)} · {timeWords(Number(table.turn_ms ?? 0))}
            </span>{' '}
            <Rigged table={table} isDiceless={infoOf(table.game ?? '')?.diceless} />
        </>
    );
}

// Who comes by a link and has no name here yet is told whose table it is, before anything is asked.
function Invitation({ code }: { code: string }) {
    const found = useSignal<Table | null>(null);
    useEffect(() => {
        void ask({ list_tables: { code } }).then((answer) => {
            found.value = answer.tables?.tables?.[0] ?? null;
        });
    }, [code]);
    const table = found.value;
    if (!table) return null;
    const game = titleOf(table.game ?? '');
    const seated = (table.seats ?? []).flatMap(({ player }) => (player ? [player] : []));
    return (
        <section class="card invitation row" aria-label={t('invite')}>
            <Emblem game={table.game ?? ''} size={52} />
            <div class="grow">
                <h1>{table.host_name ? t('asked_by', { who: table.host_name, game }) : t('asked_to', { game })}</h1>
                <Terms table={table} />
                <ul class="faces">
                    {seated.map((player, n) => (
                        <li key={n}>
                            <Avatar avatar={player.avatar} name={player.name ?? ''} /> {player.name}
                        </li>
                    ))}
                </ul>
            </div>
        </section>
    );
}

type Say = (what: Parameters<typeof ask>[0]) => Promise<void>;

function SeatList({ table, say }: { table: Table; say: Say }) {
    const id = table.table;
    return (
        <ul class="seatlist">
            {(table.seats ?? []).map((seat) => (
                <SeatRow
                    key={seat.seat}
                    game={table.game ?? ''}
                    seat={seat}
                    host={table.host}
                    mine={me.value?.player}
                    isMore={table.hotseat === true}
                    at={table.table ?? ''}
                    onSit={() =>
                        say(
                            table.hotseat
                                ? { join_table: { table: id, seat: seat.seat ?? 0 } }
                                : { take_seat: { table: id, seat: seat.seat ?? 0 } },
                        )
                    }
                />
            ))}
        </ul>
    );
}

interface MeansProps {
    table: Table;
    free: number;
    say: Say;
    leave: () => Promise<void>;
}
// What one may do at the table: its host begins, whoever sits there may get up.
function Means({ table, free, say, leave }: MeansProps) {
    const id = table.table;
    const isHost = table.host === me.value?.player;
    const taken = (table.seats ?? []).length - free;
    const level = useSignal(USUAL);
    const policy = policyOf(level.value);
    return (
        <div class="buttons">
            {isHost && table.phase === 'PHASE_OPEN' ? (
                <>
                    <button
                        class="button main"
                        disabled={taken < (table.seats_min ?? 1)}
                        onClick={() => say({ start_table: { table: id } })}
                    >
                        {t('begin')}
                    </button>
                    <PickLevel
                        game={table.game ?? ''}
                        words={t('bot_level')}
                        level={level.value}
                        onPick={(chosen) => {
                            level.value = chosen;
                        }}
                    />
                    <button
                        class="button"
                        disabled={free === 0}
                        onClick={() => say({ fill_with_bots: { table: id, count: 1, policy } })}
                    >
                        {t('add_bot')}
                    </button>
                    <button
                        class="button"
                        disabled={free === 0}
                        onClick={() => say({ fill_with_bots: { table: id, policy } })}
                    >
                        {t('fill_bots')}
                    </button>
                </>
            ) : null}
            {table.phase === 'PHASE_OVER' ? (
                <button class="button main" onClick={() => say({ rematch: { table: id } })}>
                    {t('rematch')}
                </button>
            ) : null}
            {table.phase === 'PHASE_OVER' && table.match_id ? (
                <a class="button" href={`#/replay/${hexOf(table.match_id)}`}>
                    {t('replay')}
                </a>
            ) : null}
            <button class="button plain" onClick={() => void leave()}>
                {t('leave_table')}
            </button>
        </div>
    );
}

function TableShown({ seen }: { seen: Seen }) {
    const { table } = seen;
    const id = table.table;
    const seats = table.seats ?? [];
    const free = seats.filter((seat) => !seat.player && !seat.promised).length;
    const fault = useSignal('');
    const say = async (what: Parameters<typeof ask>[0]) => {
        const answer = await ask(what);
        fault.value = answerWords(answer);
    };
    const getUp = async () => {
        fault.value = await leave(id);
        if (fault.value === '') go('/');
    };
    const link = `${location.origin}${location.pathname}#/join/${table.code ?? ''}`;
    return (
        <div class="wide stack">
            <div class="row tablehead">
                <Emblem game={table.game ?? ''} size={52} />
                <div>
                    <h1>{titleOf(table.game ?? '')}</h1>
                    <Terms table={table} />
                </div>
            </div>
            {seen.closed !== undefined ? <p class="notice">{closingWords(seen.closed) || t('table_closed')}</p> : null}
            <Refusal
                why={fault.value}
                onClose={() => {
                    fault.value = '';
                }}
            />
            <div class="tablecols">
                <section class="card stack">
                    <h2>{t('seats')}</h2>
                    <SeatList table={table} say={say} />
                    <p class="soft small" role="status">
                        {free > 0 ? `${t('waiting_for', { n: free })} ${t('begin_few')}` : t('begin_few')}
                    </p>
                    <Means table={table} free={free} say={say} leave={getUp} />
                    <RematchAsked seen={seen} />
                </section>
                <div class="stack">
                    {table.code ? (
                        <section class="card stack">
                            <h2>{t('invite_link')}</h2>
                            <Copy text={link} />
                        </section>
                    ) : null}
                    {table.setup_name ? (
                        <section class="card">
                            <h2>{t('setup')}</h2>
                            <Preview game={table.game ?? ''} setup={table.setup_name} />
                        </section>
                    ) : null}
                    <section class="card">
                        <h2>{t('chat')}</h2>
                        <Chat seen={seen} />
                    </section>
                </div>
            </div>
        </div>
    );
}

// Who wants another match, by name; oneself knows it.
export function RematchAsked({ seen }: { seen: Seen }) {
    const asking = (seen.table.seats ?? [])
        .map((seat) => seat.player)
        .filter(
            (player, n, all) =>
                player &&
                player.player !== me.value?.player &&
                seen.rematch.includes(player.player ?? '') &&
                all.findIndex((one) => one?.player === player.player) === n,
        );
    if (asking.length === 0) return null;
    return (
        <p role="status">
            {t('rematch_asked', { n: asking.length, who: asking.map((player) => player?.name ?? '?').join(', ') })}
        </p>
    );
}

// At a hot seat each person has a name of their own, which only this screen shows.
function WhoSits({ at, seat }: { at: string; seat: number }) {
    return (
        <input
            class="input whosits"
            maxLength={24}
            aria-label={t('who_sits', { n: seat + 1 })}
            placeholder={t('who_sits', { n: seat + 1 })}
            value={namesAt(at)[seat] ?? ''}
            onInput={(event) => callSeat(at, seat, event.currentTarget.value)}
        />
    );
}

function SeatRow({
    game,
    seat,
    host,
    mine,
    isMore,
    at,
    onSit,
}: {
    game: string;
    seat: TableSeat;
    host?: string;
    mine?: string;
    isMore: boolean;
    at: string;
    onSit: () => void;
}) {
    const own = nameAt(at, seat.seat ?? 0);
    const n = seat.seat ?? 0;
    if (!seat.player) {
        return (
            <li class={`seatrow empty-seat seat-${n}`}>
                <span class="nobody" />
                <span class="grow soft">{seat.promised ? t('promised') : t('free_seat')}</span>
                {isMore && !seat.promised ? <WhoSits at={at} seat={n} /> : null}
                {seat.promised ? null : (
                    <button class="button small" onClick={onSit}>
                        {t(isMore ? 'sit_too' : 'take_seat')}
                    </button>
                )}
            </li>
        );
    }
    return (
        <li class={`seatrow seat-${n}`}>
            <Avatar avatar={seat.player.avatar} name={seat.player.name ?? ''} />
            <span class="grow">
                <strong>{own ?? seat.player.name}</strong>{' '}
                {seat.player.player === mine && !isMore ? <span class="soft">({t('you')})</span> : null}
                {own === undefined ? null : <span class="soft">({seat.player.name})</span>}
            </span>
            {isMore && seat.player.player === mine ? <WhoSits at={at} seat={n} /> : null}
            {seat.player.bot ? <span class="chip">{t('bot')}</span> : null}
            {seat.player.level ? <span class="chip">{levelName(game, seat.player.level)}</span> : null}
            {seat.player.player === host ? <span class="chip live">{t('host')}</span> : null}
            {seat.vacant ? <span class="chip warm">{t('vacant')}</span> : null}
        </li>
    );
}
