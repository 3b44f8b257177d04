// match.tsx: a match: the board, whose turn it is, what happened, chat and rules beside it.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Emblem } from '../games/emblem';
import { titleOf, type Face, type Names } from '../games/face';
import { useFace, useNames, type Who } from '../games/use';
import { ask, avatarsIn, closeMatch, hasTables, me, openMatch, seatsIn, tableOf } from '../net/house';
import { base64Of, hexOf } from '../net/ids';
import type { Match } from '../net/match';
import type { Seen } from '../net/tables';
import { useKeptFocus } from '../ui/focus';
import { Clock, Faces, Refusal, Rigged, SeatName, Tabs } from '../ui/parts';
import { go, goInstead } from '../ui/route';
import { answerWords, whyNot } from '../words/refusals';
import { t } from '../words/say';
import { Actions } from './actions';
import { Chat } from './chat';
import { DoubtDialog, useDoubt } from './doubt';
import { entrySentence, Log } from './log';
import { lookForOwn } from './own_bytes';
import { fetchReplay } from './replay_data';
import { LeaveMatch, VacantVote } from './leaving';
import { RematchAsked } from './table';
import { Ticker } from './ticker';

// Which seat is one's own is known when the tables are: until then one would watch without one's cards.
export function MatchView({ id, code }: { id: string; code?: string }) {
    const match_id = base64Of(id);
    const opened = useSignal<readonly Match[]>([]);
    const at = useSignal(0);
    const seats = seatsIn(match_id);
    const isKnown = hasTables.value;
    useEffect(() => {
        if (!isKnown) return undefined;
        // Who was here when it ended stays; who comes later finds no seat any more, but what became of it.
        if (tableOf(match_id)?.table.phase === 'PHASE_OVER') return goInstead(`/replay/${id}`);
        const all =
            seats.length > 0 ? seats.map((seat) => openMatch(match_id, seat)) : [openMatch(match_id, undefined, code)];
        opened.value = all;
        return () => all.forEach(closeMatch);
    }, [id, code, seats.join(), isKnown]);
    // At a hot seat the board turns to whoever is waited for.
    const match = opened.value[at.value] ?? opened.value[0];
    const waiting = opened.value.findIndex((one) => one.toAct.value);
    useEffect(() => {
        if (waiting >= 0 && !match?.toAct.value) at.value = waiting;
    }, [waiting, match?.toAct.value]);
    useReplayOfGone(id, match);
    if (!match) return <p class="empty">{t('loading')}</p>;
    return <Shown key={match.seat} match={match} isShared={opened.value.length > 1} />;
}

// What is refused may be over: then its replay is there. Of a match that goes on there is none.
function useReplayOfGone(id: string, match: Match | undefined): void {
    const isPlayed = tableOf(base64Of(id))?.table.phase === 'PHASE_PLAYING';
    const gone = match?.over.value || isPlayed ? null : match?.gone.value;
    useEffect(() => {
        let isLeft = false;
        if (gone)
            void fetchReplay(id).then((found) => {
                if (found && !isLeft) goInstead(`/replay/${id}`);
            });
        return () => {
            isLeft = true;
        };
    }, [gone]);
}

// At a hot seat with secrets nobody sees the cards of whoever sat here before.
function Curtain({ name, onReady }: { name: string; onReady: () => void }) {
    return (
        <section class="card curtain">
            <h2>{t('pass_to', { name })}</h2>
            <p class="soft">{t('pass_more')}</p>
            <div>
                <button class="button main" onClick={onReady}>
                    {t('i_am', { name })}
                </button>
            </div>
        </section>
    );
}

type Side = 'log' | 'chat' | 'rules';

interface Parts {
    match: Match;
    face: Face;
    names: Names;
}

function Shown({ match, isShared }: { match: Match; isShared: boolean }) {
    const facts = match.facts.value;
    const face = useFace(facts?.game);
    const who: Who[] = facts?.seat ?? [];
    const names = useNames(facts, who, match.seat, match.id);
    useLastView(match);
    const leaving = useSignal(false);
    const isLifted = useSignal(false);
    const lift = () => {
        isLifted.value = true;
    };
    const stay = () => {
        leaving.value = false;
    };
    const seen = tableOf(match.id);
    if (match.gone.value && !match.over.value) return <Gone why={whyNot(match.gone.value)} />;
    if (!facts || !face) return <p class="empty">{t('loading')}</p>;
    if (isShared && face.isSecret && !isLifted.value && !match.over.value)
        return <Curtain name={names.name(match.seat)} onReady={lift} />;
    const parts = { match, face, names };
    const faces = avatarsIn(match.id);
    // The act that board and possible actions belong to.
    const act = match.toAct.value ? match.choices.value.legal?.number : match.number.value;
    return (
        <Faces.Provider value={(seat) => faces[seat]}>
            <div class="matchpage" data-act={act}>
                <div class="matchhead row between">
                    <div class="row">
                        <Emblem game={facts.game ?? ''} size={34} />
                        <h1>{titleOf(facts.game ?? '')}</h1>
                        <Rigged
                            table={{ rigged: names.options?.rigged === true, open_dice: facts.seed !== undefined }}
                            isDiceless={!face.hasDice(names)}
                        />
                        <Crowd match={match} />
                    </div>
                    <TurnState {...parts} who={who} isShared={isShared && seen?.table.hotseat === true} />
                    <Means {...parts} leaving={leaving} />
                </div>
                <div class="matchbody">
                    <BoardSide {...parts} />
                    <Beside {...parts} seen={seen} />
                </div>
                {seen?.vacant !== undefined ? <VacantVote id={seen.table.table} seat={seen.vacant} /> : null}
                {leaving.value ? <LeaveMatch id={seen?.table.table} onClose={stay} /> : null}
            </div>
        </Faces.Provider>
    );
}

function Gone({ why }: { why: string }) {
    return (
        <div class="wide">
            <p class="empty">{why}</p>
            <a class="button" href="#/">
                {t('lobby')}
            </a>
        </div>
    );
}

// What one may do beside playing.
function Means({ match, face, names, leaving }: Parts & { leaving: Signal<boolean> }) {
    const leave = () => {
        leaving.value = true;
    };
    if (match.over.value) return <div class="buttons" />;
    if (match.seat === undefined)
        return (
            <div class="buttons">
                <Pace match={match} />
            </div>
        );
    return (
        <div class="buttons">
            {match.toAct.value ? <Hint match={match} face={face} names={names} /> : null}
            <button class="button plain small" onClick={leave}>
                {t('leave_match')}
            </button>
        </div>
    );
}

function BoardSide({ match, face, names }: Parts) {
    const box = useRef<HTMLDivElement>(null);
    useKeptFocus(box);
    const asking = useDoubt(match, face, names);
    return (
        <div class="boardside" ref={box} tabIndex={-1}>
            {match.over.value ? (
                <Ending face={face} match={match} names={names} />
            ) : (
                <Ticker
                    fresh={match.fresh.value}
                    sentence={(entry) => entrySentence(face, names, entry)}
                    isLoud={(entry) => !!entry.event.event && !!face.isLoud?.(entry.event.event)}
                />
            )}
            <Refusal
                why={match.refusal.value ? whyNot(match.refusal.value, face.reasons) : ''}
                onClose={() => {
                    match.refusal.value = null;
                }}
            />
            {match.dice.value && !match.view.value ? (
                <p class="notice">{t(face.hasDice(names) ? 'dice_round' : 'loading')}</p>
            ) : null}
            {match.view.value ? (
                <face.Board
                    {...names}
                    view={match.view.value}
                    choices={match.choices.value}
                    hinted={match.hinted.value}
                    toAct={match.toAct.value}
                    over={match.over.value}
                    fresh={match.fresh.value}
                    past={match.past.value}
                    play={asking.play}
                    isReplay={false}
                />
            ) : null}
            {match.seat !== undefined ? (
                <Actions
                    choices={match.choices.value}
                    hinted={match.hinted.value}
                    face={face}
                    names={names}
                    play={(command) => void asking.play(command)}
                />
            ) : null}
            <DoubtDialog asking={asking} face={face} names={names} />
        </div>
    );
}

function Beside({ match, face, names, seen }: Parts & { seen: Seen | undefined }) {
    const side = useSignal<Side>('log');
    const unread = useUnread(seen, side.value === 'chat');
    const sides: readonly Side[] = seen ? ['log', 'chat', 'rules'] : ['log', 'rules'];
    return (
        <aside class="side card">
            <Tabs
                names={sides}
                chosen={side}
                mark={(one) => (one === 'chat' && unread > 0 ? <Unread n={unread} /> : null)}
            />
            {side.value === 'log' ? <Log entries={match.log.value} face={face} names={names} /> : null}
            {side.value === 'chat' && seen ? <Chat seen={seen} /> : null}
            {side.value === 'rules' ? <Rules face={face} /> : null}
        </aside>
    );
}

function Unread({ n }: { n: number }) {
    return (
        <>
            {' '}
            <b class="unread num" aria-hidden="true">
                {n}
            </b>
            <span class="unseen">{t('unread', { n })}</span>
        </>
    );
}

// How much was said since one looked at the chat last; what one says oneself is no news.
function useUnread(seen: Seen | undefined, isOpen: boolean): number {
    const said = (seen?.chat ?? []).filter((line) => line.player !== me.value?.player).length;
    const read = useSignal(said);
    useEffect(() => {
        if (isOpen || said < read.value) read.value = said;
    }, [isOpen, said]);
    return isOpen ? 0 : Math.max(0, said - read.value);
}

// Who watches is one of those the house counts, and does not count himself.
function Crowd({ match }: { match: Match }) {
    const n = match.crowd.value;
    if (match.seat !== undefined) return n > 0 ? <span class="chip">{t('n_watch', { n })}</span> : null;
    return (
        <span class="chip">
            {n > 1 ? t('watching_with', { n: n - 1 }) : t(n === 1 ? 'watching_alone' : 'watching')}
        </span>
    );
}

// The engine closes a match with its last act. Whoever was not shown how it ended sees that from the replay, for it is
// everybody's then.
function useLastView(match: Match): void {
    useEffect(() => {
        if (!match.over.value || match.isWhole.value) return;
        void fetchReplay(hexOf(match.id), match.seat).then((replay) => {
            const view = replay?.viewAt(replay.acts.length);
            if (!replay || !view) return;
            match.view.value = view;
            match.past.value = replay.before(replay.acts.length);
        });
    }, [match.over.value]);
}

export function Rules({ face }: { face: Face }) {
    return (
        <div class="rules" tabIndex={0} role="region" aria-label={t('rules')}>
            {face.rules().map((rule, n) => (
                <p key={n}>{rule}</p>
            ))}
        </div>
    );
}

// What one wants to know first. Of several people at one device each reads the names.
function Verdict({ winners, names, isShared }: { winners: readonly number[] | null; names: Names; isShared: boolean }) {
    const isMine = names.seat !== undefined && !isShared;
    const hasWon = winners?.includes(names.seat ?? -1) ?? false;
    const words =
        winners === null
            ? t('match_over')
            : isMine
              ? t(hasWon ? 'you_won' : 'you_lost')
              : winners.length === 0
                ? t('nobody_won')
                : t('has_won', { who: winners.map((seat) => names.name(seat)).join(', '), n: winners.length });
    return (
        <div class="turnstate" role="status">
            <strong class={`verdict${winners !== null && (hasWon || !isMine) && winners.length > 0 ? ' won' : ''}`}>
                {words}
            </strong>
        </div>
    );
}

function TurnState({
    match,
    names,
    who,
    face,
    isShared,
}: {
    match: Match;
    names: Names;
    who: Who[];
    face: Face;
    isShared: boolean;
}) {
    if (match.over.value)
        return (
            <Verdict
                winners={match.view.value ? (face.winners?.(match.view.value) ?? null) : null}
                names={names}
                isShared={isShared}
            />
        );
    const asked = match.view.value ? face.asked?.(match.view.value, names) : null;
    return (
        <div class="turnstate" role="status">
            {match.toAct.value ? (
                <span class="yourturn">
                    {isShared ? <SeatName seat={match.seat ?? 0} name={names.name(match.seat)} /> : null}{' '}
                    {asked ?? t(isShared ? 'is_to_play' : 'your_turn')}
                </span>
            ) : (
                <span class="row">
                    {asked ??
                        who.map((one, n) => (
                            <SeatName key={n} seat={n} name={names.name(n)} bot={one.bot} isYou={n === match.seat} />
                        ))}
                </span>
            )}
            <Clock deadline={match.deadline.value} />
        </div>
    );
}

function Hint({ match, face, names }: { match: Match; face: Face; names: Names }) {
    // Where nobody knows better, that is said.
    const isNone = useSignal(false);
    const best = match.hinted.value;
    useEffect(() => {
        isNone.value = false;
    }, [match.number.value]);
    return (
        <span class="row">
            <button
                class="button small"
                onClick={async () => {
                    isNone.value = (await match.hint()) === undefined;
                }}
            >
                {t('hint')}
            </button>
            <span class="small" role="status">
                {best ? t('hint_is', { what: face.deed(best, names) }) : isNone.value ? t('hint_none') : ''}
            </span>
        </span>
    );
}

// Programs are quick: who watches may slow them down, or stop to think, and catch up again.
const PACES = [0, 0.5, 1, 2, 4];
function Pace({ match }: { match: Match }) {
    const { value } = match.pace;
    return (
        <label class="row small">
            <span class="soft">{t('speed')}</span>
            <select
                class="input speed"
                value={value === Infinity ? 'live' : value}
                onChange={(event) => {
                    const said = event.currentTarget.value;
                    match.setPace(said === 'live' ? Infinity : Number(said));
                }}
            >
                {PACES.map((one) => (
                    <option key={one} value={one}>
                        {one === 0 ? t('pause') : t('a_second', { n: one })}
                    </option>
                ))}
                <option value="live">{t('live')}</option>
            </select>
            {match.behind.value > 0 ? (
                <span class="chip warm num" role="status">
                    {t('n_behind', { n: match.behind.value })}
                </span>
            ) : null}
        </label>
    );
}

// What may be said of the dice at the end. This page says that one's own bytes were in them only if it finds them in
// the match file; the gateway's word is not enough.
function useHonesty(match: Match) {
    const proved = match.proved.value;
    const own = useSignal<'honest' | 'honest_without' | 'honest_unseen' | 'not_honest' | null>(null);
    const isHosted = match.facts.value?.commitment !== undefined;
    useEffect(() => {
        if (!proved || !isHosted || match.seat === undefined) return;
        void lookForOwn(match.id, match.seat).then((found) => {
            own.value = found;
        });
    }, [proved, isHosted]);
    if (!proved) return null;
    if (proved.seals === false || (isHosted && proved.dice === false)) return 'not_honest';
    if (!isHosted) return 'honest_open';
    return match.seat === undefined ? 'honest_watched' : own.value;
}

function Ending({ match, face, names }: Parts) {
    const seen = tableOf(match.id);
    const fault = useSignal('');
    const end = useHonesty(match);
    return (
        <section class="ending" role="status">
            {end === null ? null : (
                <p class={end === 'not_honest' ? 'bad' : 'good'}>
                    {t(end === 'not_honest' || face.hasDice(names) ? end : 'honest_diceless')}
                </p>
            )}
            {seen ? <RematchAsked seen={seen} /> : null}
            {fault.value ? (
                <p class="bad" role="alert">
                    {fault.value}
                </p>
            ) : null}
            <div class="buttons">
                {seen && names.seat !== undefined ? (
                    <button
                        class="button small main"
                        onClick={async () => {
                            const answer = await ask({ rematch: { table: seen.table.table } });
                            fault.value = answerWords(answer);
                            if (fault.value === '' && answer.table) go(`/table/${hexOf(answer.table.table)}`);
                        }}
                    >
                        {t('rematch')}
                    </button>
                ) : null}
                <a class="button small" href={`#/replay/${hexOf(match.id)}`}>
                    {t('replay')}
                </a>
                <a class="button small plain" href="#/">
                    {t('lobby')}
                </a>
            </div>
        </section>
    );
}
