// board.tsx: a treasure hunt, watched or steered: the map, both hunters, their countdowns.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PlayerView, SpectatorView, View } from '../../generated/treasure';
import type { GameMessage } from '../../proto/game';
import { SeatName } from '../../ui/parts';
import { both, type Both } from '../../words/say';
import type { BoardProps } from '../face';
import { HuntMap, type Figure } from './map';
import { waysOf, type Seen } from './ways';

const STEPS: Record<number, readonly [number, number]> = { 1: [0, -1], 2: [0, 1], 3: [-1, 0], 4: [1, 0] };
const KEYS: Record<string, number> = { arrowup: 1, arrowdown: 2, arrowleft: 3, arrowright: 4, w: 1, s: 2, a: 3, d: 4 };

// A hint may say more of a step than a click does: only its way counts here.
function isWayOf(hinted: GameMessage | null | undefined, { step }: GameMessage): boolean {
    const said = hinted?.['step'] as Record<string, unknown> | undefined;
    return !!said && Object.entries(step as object).every(([name, value]) => said[name] === value);
}

export function Board(props: BoardProps) {
    const view = props.view as View;
    const known = view.spectator ?? view.player ?? {};
    const ways = useMemo(
        () => waysOf(([...props.past, view] as View[]).map((one): Seen[] => figuresOf(one))),
        [props.past, view],
    );
    const figures = figuresOf(view).map((figure) => ({ ...figure, ...ways.get(figure.seat) }));
    const own = view.player?.pos;
    // Only what is land is listed; a step into water would lose the game, so nothing else is offered.
    const open =
        props.toAct && own
            ? props.choices
                  .all('step')
                  .map((values) => values[values.length - 1]!)
                  .filter((way) => STEPS[way])
            : [];
    const step = (way: number) => void props.play(props.choices.command('step', undefined, way));
    useEffect(() => {
        const keys = (event: KeyboardEvent) => {
            const way = KEYS[event.key.toLowerCase()];
            if (
                way === undefined ||
                !open.includes(way) ||
                /INPUT|SELECT|TEXTAREA/.test((event.target as HTMLElement).tagName)
            )
                return;
            event.preventDefault();
            step(way);
        };
        document.addEventListener('keydown', keys);
        return () => document.removeEventListener('keydown', keys);
    });
    return (
        <div class="treasure">
            <Hunters {...props} view={view} figures={figures} />
            {known.terrain?.length ? (
                <div class="huntframe">
                    <HuntMap
                        terrain={known.terrain}
                        explored={view.player?.explored}
                        figures={figures}
                        name={(seat) => props.name(seat)}
                        steps={open.map(
                            (way) => [(own?.x ?? 0) + STEPS[way]![0], (own?.y ?? 0) + STEPS[way]![1], way] as const,
                        )}
                        hinted={open.find((way) =>
                            isWayOf(props.hinted, props.choices.command('step', undefined, way)),
                        )}
                        onStep={step}
                    />
                </div>
            ) : (
                <HalfWanted {...props} />
            )}
            {known.terrain?.length ? <Legend figures={figures} /> : null}
        </div>
    );
}

function ofPlayer(view: PlayerView): Figure[] {
    const own = view.seat ?? 0;
    return [
        {
            seat: own,
            pos: view.pos,
            castle: view.castle,
            treasure: view.treasure_pos,
            half: view.own_half,
            target: view.pending?.target,
        },
        { seat: 1 - own, pos: view.enemy, castle: view.enemy_castle, isGuess: view.enemy_masked },
    ].sort((a, b) => a.seat - b.seat);
}
function ofSpectator(view: SpectatorView): Figure[] {
    return (view.seats ?? []).map((seat) => ({
        seat: seat.seat ?? 0,
        pos: seat.pos,
        castle: seat.castle,
        half: seat.half,
        treasure: seat.treasure ? undefined : seat.treasure_pos,
        target: seat.pending?.target,
    }));
}

function figuresOf(view: View): Figure[] {
    return view.spectator ? ofSpectator(view.spectator) : ofPlayer(view.player ?? {});
}

// What the signs mean: who looks on for the first time has not read the rules. Each line has its place before there
// is one.
function Legend({ figures }: { figures: readonly Figure[] }) {
    const isGuessed = figures.some((one) => one.isGuess);
    return (
        <ul class="legend small soft" aria-label={both(['Signs on the map', 'Zeichen auf der Karte'])}>
            <li>
                <svg class="sign" viewBox="0 0 24 10" aria-hidden="true">
                    <path class="way" d="M2 5h20" />
                </svg>{' '}
                {both(['seen to go', 'gesehen'])}
            </li>
            <li>
                <svg class="sign" viewBox="0 0 24 10" aria-hidden="true">
                    <path class="way gap" d="M2 5h20" />
                </svg>{' '}
                {both(['not seen how', 'nicht gesehen, wie'])}
            </li>
            <li>
                <svg class="sign" viewBox="0 0 24 10" aria-hidden="true">
                    <path class="aim" d="M2 5h20" />
                </svg>{' '}
                {both(['steps there next', 'zieht als Nächstes dorthin'])}
            </li>
            {isGuessed ? (
                <li>
                    <b aria-hidden="true">?</b> {both(['only guessed', 'nur geraten'])}
                </li>
            ) : null}
        </ul>
    );
}

function Hunters(props: BoardProps & { view: View; figures: readonly Figure[] }) {
    const { view } = props;
    const known = view.spectator ?? view.player ?? {};
    const has = (seat: number) =>
        view.spectator?.seats?.find((one) => (one.seat ?? 0) === seat)?.treasure ??
        (view.player?.seat === seat ? view.player.treasure : undefined);
    const left = (seat: number) =>
        view.spectator?.seats?.find((one) => (one.seat ?? 0) === seat)?.pending?.next ??
        (view.player?.seat === seat ? view.player.pending?.next : undefined);
    return (
        <div class="hunters">
            {[0, 1].map((seat) => (
                <div key={seat} class={`hunterrow seat-${seat}${known.turn === seat && !known.result ? ' asked' : ''}`}>
                    <SeatName seat={seat} name={props.name(seat)} isYou={seat === props.seat} />
                    {has(seat) ? <span class="chip live">{both(['has the treasure', 'hat den Schatz'])}</span> : null}
                    {left(seat) !== undefined ? (
                        <span class="chip num">{both(['steps in {n}', 'zieht in {n}'], { n: left(seat) })}</span>
                    ) : null}
                </div>
            ))}
            <span class="chip num">{both(['action {n}', 'Aktion {n}'], { n: known.n ?? 0 })}</span>
            {known.result ? (
                <strong class="huntend">
                    {resultWords(known.result, props.name)} <span class="soft small">{reasonWords(known.reason)}</span>
                </strong>
            ) : null}
        </div>
    );
}

export function resultWords(result: string | undefined, name: (seat: number) => string): string {
    if (result === 'RESULT_P1_WIN' || result === 'RESULT_P2_WIN')
        return both(['{n} wins', '{n} gewinnt'], { n: name(result === 'RESULT_P1_WIN' ? 0 : 1) });
    return result === 'RESULT_ABORTED'
        ? both(['ended by the house', 'vom Haus beendet'])
        : both(['both lose', 'beide verlieren']);
}
const REASONS: Record<string, Both> = {
    REASON_CASTLE_TAKEN: ['with the treasure in the enemy’s castle', 'mit dem Schatz in der Burg des Gegners'],
    REASON_WATER: ['a step into water', 'ein Schritt ins Wasser'],
    REASON_OFF_MAP: ['a step off the map', 'ein Schritt über den Rand'],
    REASON_BAD_POSITION: ['a wrong place was named', 'eine falsche Stelle genannt'],
    REASON_ILLEGAL_STEP: ['a step that is none', 'ein unmöglicher Schritt'],
    REASON_BAD_COUNTDOWN: ['a wrong countdown', 'falsch heruntergezählt'],
    REASON_NOT_YOUR_TURN: ['out of turn', 'nicht an der Reihe'],
    REASON_BAD_MAP: ['half a map that is not valid', 'eine ungültige Kartenhälfte'],
    REASON_BAD_MESSAGE: ['a message nobody can read', 'eine unlesbare Nachricht'],
    REASON_THINK_TIME: ['too long a thought', 'zu lange überlegt'],
    REASON_LEFT: ['left', 'gegangen'],
    REASON_ACTION_LIMIT: ['no actions left', 'keine Aktionen mehr'],
    REASON_SHUTDOWN: ['the house closed', 'das Haus hat geschlossen'],
};
export function reasonWords(reason: string | undefined): string {
    return both(REASONS[reason ?? ''] ?? ['', '']);
}

// A person need not draw half a map: the house proposes one, which can be thrown again.
function HalfWanted({ choices, play, toAct }: BoardProps) {
    const [isSent, setSent] = useState(false);
    const half = choices.legal?.proposal;
    if (!toAct || isSent)
        return (
            <p class="empty">
                {both(['The halves of the map are being drawn.', 'Die Hälften der Karte werden gezeichnet.'])}
            </p>
        );
    return (
        <div class="empty">
            <p>
                {both([
                    'Half of the map is yours to draw. Let chance do it, and steer from there.',
                    'Die Hälfte der Karte zeichnest du. Lass es den Zufall tun, und steuere von da an.',
                ])}
            </p>
            <button
                class="button main"
                disabled={!half}
                onClick={async () => {
                    if (half) setSent(await play(half));
                }}
            >
                {both(['Draw my half', 'Meine Hälfte zeichnen'])}
            </button>
        </div>
    );
}
