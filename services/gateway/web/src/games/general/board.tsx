// board.tsx: the board of a game that has none of its own: seats, what its view says, and what may be done.
import { useSignal } from '@preact/signals';
import type { GameMessage } from '../../proto/game';
import { isSame } from '../../proto/legal';
import { language, t } from '../../words/say';
import type { BoardProps } from '../face';
import { Teller } from '../tell';
import type { WordsFile } from '../words';
import { classes } from '../../ui/classes';
import { aimsAt, commandAt, type Aim, type Spot } from './aim';
import { Chooser } from './chooser';
import { Disc, Grid, Piles, Rows, type Board } from './grid';
import './general.css';

type Entry = readonly [string, unknown];

// The seats that stand in the view under a field of this kind.
export function seatsSaid(file: WordsFile, view: GameMessage, kind: 'turn' | 'winners' | 'in'): number[] | undefined {
    const found = Object.entries(view).find(([name]) => file.fields?.[name] === kind)?.[1] as
        | number
        | number[]
        | undefined;
    return found === undefined ? undefined : [found].flat();
}

function Seats({
    view,
    teller,
    seats,
    seat,
    over,
}: {
    view: GameMessage;
    teller: Teller;
    seats: number;
    seat: number | undefined;
    over: boolean;
}) {
    const turn = over ? [] : (seatsSaid(teller.file, view, 'turn') ?? []);
    const won = seatsSaid(teller.file, view, 'winners') ?? [];
    const isIn = seatsSaid(teller.file, view, 'in');
    const owned = Object.entries(view).filter(
        ([name, value]) => teller.kind(name) === 'per_seat' && Array.isArray(value),
    ) as [string, unknown[]][];
    return (
        <ul class="atseats">
            {Array.from({ length: seats }, (_, n) => (
                <li
                    key={n}
                    class={classes(
                        'atseat',
                        `seat-${n % 9}`,
                        turn.includes(n) && 'on',
                        won.includes(n) && 'won',
                        isIn && !isIn.includes(n) && 'out',
                    )}
                    aria-current={turn.includes(n) || undefined}
                >
                    <Disc seat={n} name="" />
                    <b>{teller.name(n)}</b>
                    {n === seat ? <span class="soft small">{t('you')}</span> : null}
                    {owned.map(([name, list]) => (
                        <span key={name} class="chip num">
                            {teller.label(name)} {teller.text(name, list[n])}
                        </span>
                    ))}
                    {won.includes(n) ? (
                        <svg class="icon star" viewBox="0 0 16 16" aria-hidden="true">
                            <path d="m8 1 2 5h5l-4 3 2 6-5-4-5 4 2-6-4-3h5z" />
                        </svg>
                    ) : null}
                </li>
            ))}
        </ul>
    );
}

// A number of columns, or the field beside the list that says it; undefined: no grid.
function columnsOf(teller: Teller, view: GameMessage, name: string): number | undefined {
    const kind = teller.kind(name);
    if (typeof kind !== 'object' || !('grid' in kind)) return undefined;
    return typeof kind.grid === 'number' ? kind.grid : Number(view[kind.grid] ?? 0);
}

// What a place in this list is called: the label of the argument that chooses one.
function captionOf(teller: Teller, list: string): string | null {
    const found = Object.entries(teller.file.fields ?? {}).find(
        ([, kind]) => typeof kind === 'object' && 'place' in kind && kind.place === list,
    );
    return found && teller.hasLabel(found[0]) ? teller.label(found[0]) : null;
}

function isPicture(teller: Teller, [name, value]: Entry): boolean {
    const kind = teller.kind(name);
    return (
        Array.isArray(value) &&
        (kind === 'piles' ||
            (typeof kind === 'object' && 'grid' in kind) ||
            (value.length > 0 && typeof value[0] === 'object'))
    );
}
// What these fields say is seen at the seats, or not at all.
const ELSEWHERE: readonly string[] = ['hidden', 'turn', 'winners', 'in', 'per_seat'];
function isFact(teller: Teller, entry: Entry): boolean {
    const kind = teller.kind(entry[0]);
    return !(typeof kind === 'string' && ELSEWHERE.includes(kind)) && !isPicture(teller, entry);
}

function Picture({
    entry: [name, value],
    view,
    past,
    board,
}: {
    entry: Entry;
    view: GameMessage;
    past: readonly GameMessage[];
    board: Board;
}) {
    const { teller } = board;
    const columns = columnsOf(teller, view, name);
    const list = value as readonly unknown[];
    if (teller.kind(name) === 'piles')
        return (
            <Piles
                field={name}
                value={list}
                past={past.flatMap((one) => one[name] ?? [])}
                caption={captionOf(teller, name)}
                board={board}
            />
        );
    if (columns !== undefined) return <Grid field={name} value={list} columns={columns} board={board} />;
    return <Rows field={name} value={list as readonly Readonly<Record<string, unknown>>[]} teller={teller} />;
}

function Fact({ entry: [name, value], teller }: { entry: Entry; teller: Teller }) {
    const seats = teller.isSeat(name) ? [value].flat().map(Number) : null;
    return (
        <div class="fact">
            <dt>{teller.label(name)}</dt>
            <dd>
                {seats
                    ? seats.map((seat) => (
                          <span key={seat} class="seatname">
                              <Disc seat={seat} name="" />
                              {teller.name(seat)}
                          </span>
                      ))
                    : teller.text(name, value) || '–'}
            </dd>
        </div>
    );
}

export function GeneralBoard({
    file,
    game,
    view,
    past,
    choices,
    hinted,
    toAct,
    over,
    play,
    name,
    seat,
    seats,
}: BoardProps & { file: WordsFile }) {
    const teller = new Teller(file, language.value, name);
    const aimed = useSignal<Aim | null>(null);
    const busy = useSignal(false);
    const doIt = async (command: GameMessage) => {
        busy.value = true;
        await play(command);
        busy.value = false;
    };
    const board: Board = {
        teller,
        choices,
        play: (spot: Spot) => {
            const aim = commandAt(file, choices, spot);
            if (aim) void doIt(choices.command(aim.kind, ...aim.values));
            else aimed.value = aimsAt(file, choices, spot)[0] ?? null;
        },
        label: (spot: Spot) => {
            const aim = toAct ? aimsAt(file, choices, spot)[0] : undefined;
            return aim ? teller.sentence('commands', choices.command(aim.kind, ...aim.values)) : null;
        },
        isHinted: (aim) => aim !== null && isSame(hinted, choices.command(aim.kind, ...aim.values)),
    };
    const entries: Entry[] = Object.entries(view);
    const facts = entries.filter((entry) => isFact(teller, entry));
    const won = over ? (seatsSaid(file, view, 'winners') ?? []) : [];
    return (
        <div class={`general ${game}`}>
            <Seats view={view} teller={teller} seats={seats} seat={seat} over={over} />
            {facts.length > 0 ? (
                <dl class="facts">
                    {facts.map((entry) => (
                        <Fact key={entry[0]} entry={entry} teller={teller} />
                    ))}
                </dl>
            ) : null}
            {entries
                .filter((entry) => teller.kind(entry[0]) !== 'hidden' && isPicture(teller, entry))
                .map((entry) => (
                    <Picture key={entry[0]} entry={entry} view={view} past={past} board={board} />
                ))}
            {won.length > 0 ? (
                <p class="outcome">
                    <strong>{t('has_won', { who: teller.text('', won.map(name)), n: won.length })}</strong>
                </p>
            ) : null}
            {toAct && choices.any ? (
                <Chooser
                    choices={choices}
                    teller={teller}
                    play={(command) => void doIt(command)}
                    busy={busy.value}
                    hinted={hinted}
                    aimed={aimed}
                />
            ) : null}
        </div>
    );
}
