// replay.tsx: a finished match on a timeline: play, step, speed, rounds, a link to each moment, and "verify".
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Emblem } from '../games/emblem';
import { titleOf, type Face, type Names } from '../games/face';
import { useFace, useNames } from '../games/use';
import { seatsIn } from '../net/house';
import { base64Of } from '../net/ids';
import { Copy, Rigged, SeatName, Tabs } from '../ui/parts';
import { Choices } from '../proto/legal';
import type { LogEntry } from '../net/match';
import { route } from '../ui/route';
import { t } from '../words/say';
import { entrySentence, Story } from './log';
import { Rules } from './match';
import { fetchReplay } from './replay_data';
import type { Replay } from './replay_read';
import { once, withCount } from './once';
import { Timeline } from './timeline';
import { Verify } from './verify';

const NOTHING = () => Promise.resolve(false);

type Side = 'log' | 'verify' | 'rules';
const SIDES: readonly Side[] = ['log', 'verify', 'rules'];

export function ReplayView({ id }: { id: string }) {
    const replay = useSignal<Replay | null | 'none'>(null);
    const eyes = useSignal<number | undefined>(undefined);
    useEffect(() => {
        void fetchReplay(id, eyes.value).then((found) => {
            replay.value = found ?? 'none';
        });
    }, [id, eyes.value]);
    if (replay.value === 'none')
        return (
            <div class="wide">
                <p class="empty">{t('no_replay')}</p>
                <a class="button" href="#/">
                    {t('lobby')}
                </a>
            </div>
        );
    if (!replay.value) return <p class="empty">{t('loading')}</p>;
    return <Shown id={id} replay={replay.value} eyes={eyes} />;
}

function Shown({ id, replay, eyes }: { id: string; replay: Replay; eyes: Signal<number | undefined> }) {
    const last = replay.acts.length;
    // Without a moment asked for, where there is first something to see: before that dice are made.
    const asked = Number(route.value.query.get('at') ?? replay.first);
    const at = useSignal(Math.min(Math.max(1, asked || 1), last));
    const side = useSignal<Side>('log');
    const linked = useSignal(false);
    const face = useFace(replay.game);
    const names = useNames(
        { game: replay.game, setup: replay.setup, options: replay.options },
        replay.seats,
        eyes.value,
        base64Of(id),
    );
    // The address follows, so that what is copied from it is this moment; no step backwards is made of it.
    useEffect(() => history.replaceState(null, '', `#/replay/${id}?at=${at.value}`), [at.value]);
    if (!face) return <p class="empty">{t('loading')}</p>;
    const act = replay.acts[at.value - 1];
    const fresh: LogEntry[] = act ? act.entries : [];
    const view = replay.viewAt(at.value);
    const line = once(fresh, (entry) => entrySentence(face, names, entry))
        .map(withCount)
        .join(' ');
    return (
        <div class="matchpage replaying">
            <Head
                replay={replay}
                names={names}
                eyes={eyes}
                linked={linked}
                ownSeat={seatsIn(base64Of(id))[0]}
                hasDice={face.hasDice(names)}
            />
            {linked.value ? <Moment at={at.value} /> : null}
            <Timeline at={at} last={last} marks={marksOf(replay, face, names)} />
            <div class="matchbody">
                <div class="boardside">
                    <p class="saidnow" aria-live="polite">
                        <span>{line || t('act_of', { n: at.value, all: last })}</span>
                    </p>
                    {view ? (
                        <face.Board
                            {...names}
                            view={view}
                            choices={new Choices(replay.game, undefined)}
                            toAct={false}
                            over={at.value === last}
                            fresh={fresh}
                            past={replay.before(at.value)}
                            play={NOTHING}
                            isReplay={true}
                        />
                    ) : (
                        <p class="empty">{t(face.hasDice(names) ? 'dice_round' : 'begins_soon')}</p>
                    )}
                </div>
                <aside class="side card">
                    <Tabs names={SIDES} chosen={side} />
                    {side.value === 'log' ? <Story entries={replay.entries} face={face} names={names} at={at} /> : null}
                    {side.value === 'verify' ? <Verify id={id} face={face} names={names} /> : null}
                    {side.value === 'rules' ? <Rules face={face} /> : null}
                </aside>
            </div>
        </div>
    );
}

interface HeadProps {
    replay: Replay;
    names: Names;
    eyes: Signal<number | undefined>;
    linked: Signal<boolean>;
    ownSeat: number | undefined;
    hasDice: boolean;
}
function Head({ replay, names, eyes, linked, ownSeat, hasDice }: HeadProps) {
    return (
        <div class="matchhead row between">
            <div class="row">
                <Emblem game={replay.game} size={34} />
                <h1>{titleOf(replay.game)}</h1>
                <span class="chip">{t('replay')}</span>
                <Rigged
                    table={{ rigged: names.options?.rigged === true, open_dice: replay.hasSeed }}
                    isDiceless={!hasDice}
                />
                <button
                    class="button small"
                    aria-expanded={linked.value}
                    onClick={() => {
                        linked.value = !linked.value;
                    }}
                >
                    {t('link_here')}
                </button>
            </div>
            <label class="row small">
                <span class="soft">{t('eyes_of')}</span>
                <select
                    class="input speed"
                    value={eyes.value ?? -1}
                    onChange={(event) => {
                        const seat = Number(event.currentTarget.value);
                        eyes.value = seat < 0 ? undefined : seat;
                    }}
                >
                    <option value={-1}>{t('eyes_watcher')}</option>
                    {replay.seats.map((_, n) => (
                        <option key={n} value={n}>
                            {names.name(n)}
                        </option>
                    ))}
                </select>
            </label>
            <div class="row small">
                {replay.seats.map((one, n) => (
                    <SeatName key={n} seat={n} name={names.name(n)} bot={one.bot} isYou={n === ownSeat} />
                ))}
            </div>
        </div>
    );
}

// What is copied is this act's address, as it is said now.
function Moment({ at }: { at: number }) {
    const link = location.href.replace(/\?at=\d+$/, '') + `?at=${at}`;
    return (
        <div class="moment card">
            <Copy text={link} label={t('link_here')} atOnce />
        </div>
    );
}

function marksOf(replay: Replay, face: Face, names: Names): { at: number; text: string }[] {
    const marks: { at: number; text: string }[] = [];
    for (const entry of replay.entries) {
        const text = entry.event.event ? face.mark?.(entry.event.event, names) : null;
        if (text && marks[marks.length - 1]?.text !== text) marks.push({ at: entry.number, text });
    }
    return marks;
}
