// grid.tsx: lists of the view as one sees them: a grid of cells, piles of counters, rows of a table.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Choices } from '../../proto/legal';
import type { Teller } from '../tell';
import { classes } from '../../ui/classes';
import { commandAt, type Aim, type Spot } from './aim';

// More counters than these are a number with some of them drawn.
const COUNTERS_MOST = 16;

export interface Board {
    teller: Teller;
    choices: Choices;
    play: (spot: Spot) => void;
    label: (spot: Spot) => string | null;
    isHinted: (aim: Aim | null) => boolean;
}

// A seat as a disc of its colour, with the player's name for whoever cannot see it.
export function Disc({ seat, name }: { seat: number; name: string }) {
    return (
        <span class={`stone seat-${seat % 9}`} title={name}>
            <span class="unseen">{name}</span>
        </span>
    );
}

function isSeatIn(field: string, value: unknown, teller: Teller): value is number {
    return (
        teller.isSeat(field) &&
        Number.isInteger(Number(value)) &&
        Number(value) >= 0 &&
        teller.value(field, value) === undefined
    );
}

// What stands in a cell; nothing in an empty one.
function Content({ field, value, teller }: { field: string; value: unknown; teller: Teller }): JSX.Element | null {
    if (value === undefined || value === null) return null;
    if (typeof value === 'object')
        return (
            <>
                {Object.entries(value).map(([name, one]) => (
                    <Content key={name} field={name} value={one} teller={teller} />
                ))}
            </>
        );
    if (isSeatIn(field, value, teller)) return <Disc seat={value} name={teller.name(value)} />;
    if (teller.isSeat(field) && teller.value(field, value) === undefined) return null;
    return <span class="cellword">{teller.text(field, value)}</span>;
}

function cellsOf(value: readonly unknown[], columns: number): { cells: readonly unknown[]; columns: number } {
    if (columns > 0) return { cells: value, columns };
    // Rows of letters: each is a cell.
    const rows = value.map((row) => [...String(row)]);
    const widest = Math.max(1, ...rows.map((row) => row.length));
    return {
        cells: rows.flatMap((row) => [...row, ...new Array<string>(widest - row.length).fill(' ')]),
        columns: widest,
    };
}

export function Grid({
    field,
    value,
    columns: said,
    board,
}: {
    field: string;
    value: readonly unknown[];
    columns: number;
    board: Board;
}) {
    const { teller, choices, play, label, isHinted } = board;
    const { cells, columns } = cellsOf(value, said);
    const hover = useSignal<string | null>(null);
    return (
        <div class="squares" role="group" aria-label={teller.label(field)} style={{ '--columns': String(columns) }}>
            {cells.map((cell, place) => {
                const spot = { list: field, place, column: place % columns, row: Math.floor(place / columns) };
                const aim = commandAt(teller.file, choices, spot);
                const content = <Content field={field} value={cell} teller={teller} />;
                const words = label(spot);
                if (!words)
                    return (
                        <span key={place} class="cell">
                            {content}
                        </span>
                    );
                // All cells that mean the same command light up together.
                const key = aim ? `${aim.kind} ${aim.values.join(' ')}` : String(place);
                return (
                    <button
                        key={place}
                        type="button"
                        class={classes('cell free', hover.value === key && 'hot', isHinted(aim) && 'hinted')}
                        aria-label={words}
                        title={words}
                        onClick={() => play(spot)}
                        onMouseEnter={() => {
                            hover.value = key;
                        }}
                        onMouseLeave={() => {
                            hover.value = null;
                        }}
                        onFocus={() => {
                            hover.value = key;
                        }}
                        onBlur={() => {
                            hover.value = null;
                        }}
                    >
                        {content}
                    </button>
                );
            })}
        </div>
    );
}

// As high as the highest pile ever was, so that the board does not hop as they shrink.
export function Piles({
    field,
    value,
    past,
    caption,
    board,
}: {
    field: string;
    value: readonly unknown[];
    past: readonly unknown[];
    caption: string | null;
    board: Board;
}) {
    const highest = Math.min(COUNTERS_MOST, Math.max(1, ...[...value, ...past].map(Number)));
    return (
        <ul class="heaps" aria-label={board.teller.label(field)} style={{ '--highest': String(highest) }}>
            {value.map((amount, place) => (
                <li key={place} class="heap">
                    <Pile list={field} place={place} amount={Number(amount)} board={board} />
                    <b class="num">{Number(amount)}</b>
                    {caption ? (
                        <span class="small soft">
                            {caption} {place + 1}
                        </span>
                    ) : null}
                </li>
            ))}
        </ul>
    );
}

// The topmost counter is one, the one below it two: so a pile is taken from above.
function Pile({ list, place, amount, board }: { list: string; place: number; amount: number; board: Board }) {
    const drawn = Math.min(amount, COUNTERS_MOST);
    return (
        <div class={`counters${amount > drawn ? ' cut' : ''}`}>
            {Array.from({ length: drawn }, (_, n) => {
                const spot = { list, place, amount: drawn - n };
                const words = board.label(spot);
                const aim = commandAt(board.teller.file, board.choices, spot);
                return (
                    <button
                        key={n}
                        type="button"
                        class={classes('counter', board.isHinted(words ? aim : null) && 'hinted')}
                        disabled={!words}
                        title={words ?? undefined}
                        aria-label={words ?? String(spot.amount)}
                        onClick={() => board.play(spot)}
                    />
                );
            })}
        </div>
    );
}

// A list of messages: a column for each field that any of them has.
export function Rows({
    field,
    value,
    teller,
}: {
    field: string;
    value: readonly Readonly<Record<string, unknown>>[];
    teller: Teller;
}) {
    const names = [...new Set(value.flatMap((row) => Object.keys(row)))].filter(
        (name) => teller.kind(name) !== 'hidden',
    );
    return (
        <div class="rowsbox" tabIndex={0} role="region" aria-label={teller.label(field)}>
            <table class="plainboard">
                <thead>
                    <tr>
                        {names.map((name) => (
                            <th key={name} scope="col">
                                {teller.label(name)}
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {value.map((row, n) => (
                        <tr key={n}>
                            {names.map((name) => (
                                <td key={name}>{teller.text(name, row[name])}</td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}
