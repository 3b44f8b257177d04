// map.tsx: the map of a treasure hunt: ground, fog as the viewer may know it, castles, treasures, figures and their
// ways.
import type { Field, Area } from '../../generated/treasure';
import { both } from '../../words/say';
import { classes } from '../../ui/classes';
import type { Seen, Way } from './ways';

const SIZE = 20;
const mid = (n: number | undefined) => (n ?? 0) * SIZE + SIZE / 2;

// Two ways through the same fields lie beside each other.
function line(seat: number, fields: readonly Field[]): string {
    const aside = seat ? 1.5 : -1.5;
    return fields.map((one) => `${mid(one.x) + aside},${mid(one.y) + aside}`).join(' ');
}

export interface Figure extends Seen, Partial<Way> {
    target?: Field;
    castle?: Field;
    treasure?: Field;
    half?: Area;
}

function Ground({ kind, x, y, isFog }: { kind: string; x: number; y: number; isFog: boolean }) {
    const left = x * SIZE;
    const top = y * SIZE;
    return (
        <g class={`ground ${kind}${isFog ? ' fog' : ''}`}>
            <rect x={left} y={top} width={SIZE} height={SIZE} />
            {kind === 'M' ? <path class="peak" d={`M${left + 2} ${top + 17}l6-11 4 6 2-3 4 8z`} /> : null}
            {kind === 'W' ? (
                <path
                    class="wave"
                    d={`M${left + 3} ${top + 8}q3.500-4 7 0t7 0M${left + 3} ${top + 14}q3.500-4 7 0t7 0`}
                />
            ) : null}
            {kind === 'G' && (x * 7 + y * 5) % 3 === 0 ? (
                <path
                    class="tuft"
                    d={`M${left + 6} ${top + 14}v-3M${left + 8} ${top + 14}l1.500-3M${left + 14} ${top + 8}v-3`}
                />
            ) : null}
        </g>
    );
}

export function HuntMap({
    terrain,
    explored,
    figures,
    steps,
    hinted,
    onStep,
    name,
}: {
    terrain: readonly string[];
    explored: readonly string[] | undefined;
    figures: readonly Figure[];
    steps: readonly (readonly [number, number, number])[];
    hinted: number | undefined;
    onStep: (direction: number) => void;
    name: (seat: number) => string;
}) {
    const width = Math.max(1, ...terrain.map((row) => row.length));
    return (
        <svg
            class="hunt"
            viewBox={`-1 -1 ${width * SIZE + 2} ${terrain.length * SIZE + 2}`}
            role="group"
            aria-label={both(['Map of {w} by {h} fields', 'Karte von {w} mal {h} Feldern'], {
                w: width,
                h: terrain.length,
            })}
        >
            {terrain.flatMap((row, y) =>
                [...row].map((kind, x) => (
                    <Ground
                        key={`${x},${y}`}
                        kind={kind}
                        x={x}
                        y={y}
                        isFog={explored !== undefined && explored[y]?.[x] !== 'x'}
                    />
                )),
            )}
            {figures.map(({ seat, half }) =>
                half ? (
                    <rect
                        key={`h${seat}`}
                        class={`half seat-${seat}`}
                        x={(half.x ?? 0) * SIZE + 1}
                        y={(half.y ?? 0) * SIZE + 1}
                        width={(half.w ?? 0) * SIZE - 2}
                        height={(half.h ?? 0) * SIZE - 2}
                        rx="4"
                    />
                ) : null,
            )}
            {figures.map(({ seat, gaps }) =>
                gaps?.map((gap, n) => (
                    <polyline key={`g${seat},${n}`} class={`way gap seat-${seat}`} points={line(seat, gap)} />
                )),
            )}
            {figures.map(({ seat, seen }) =>
                seen?.map((run, n) =>
                    run.length > 1 ? (
                        <polyline key={`p${seat},${n}`} class={`way seat-${seat}`} points={line(seat, run)} />
                    ) : null,
                ),
            )}
            {figures.map(({ seat, castle }) =>
                castle ? (
                    <g
                        key={`c${seat}`}
                        class={`castle seat-${seat}`}
                        transform={`translate(${mid(castle.x)},${mid(castle.y)})`}
                    >
                        <title>{both(['castle of {n}', 'Burg von {n}'], { n: name(seat) })}</title>
                        <path d="M-7 7V-6h3v3h2.500v-3h3v3H4v-3h3V7z" />
                        <path class="gate" d="M-2 7V2.500a2 2 0 0 1 4 0V7z" />
                    </g>
                ) : null,
            )}
            {figures.map(({ seat, treasure }) =>
                treasure ? (
                    <g
                        key={`t${seat}`}
                        class={`chest seat-${seat}`}
                        transform={`translate(${mid(treasure.x)},${mid(treasure.y)})`}
                    >
                        <title>{both(['treasure of {n}', 'Schatz von {n}'], { n: name(seat) })}</title>
                        <path d="M-6-1h12v7H-6zM-6-1c0-6 12-6 12 0z" />
                        <path class="lock" d="M-1.500-1h3v3h-3z" />
                    </g>
                ) : null,
            )}
            {figures.map(({ seat, pos, target }) =>
                pos && target ? (
                    <line
                        key={`g${seat}`}
                        class={`aim seat-${seat}`}
                        x1={mid(pos.x)}
                        y1={mid(pos.y)}
                        x2={mid(target.x)}
                        y2={mid(target.y)}
                    />
                ) : null,
            )}
            {figures.map(({ seat, pos, isGuess }) =>
                pos ? (
                    <g
                        key={`f${seat}`}
                        class={`hunter seat-${seat}${isGuess ? ' guess' : ''}`}
                        style={{ transform: `translate(${mid(pos.x)}px, ${mid(pos.y)}px)` }}
                    >
                        <title>{name(seat)}</title>
                        <circle r="6.500" />
                        <text y="3">{isGuess ? '?' : seat + 1}</text>
                    </g>
                ) : null,
            )}
            {steps.map(([x, y, direction]) => (
                <rect
                    key={direction}
                    class={classes('step', direction === hinted && 'hinted')}
                    x={x * SIZE + 1}
                    y={y * SIZE + 1}
                    width={SIZE - 2}
                    height={SIZE - 2}
                    rx="3"
                    role="button"
                    tabIndex={0}
                    aria-label={both(['Step to column {x}, row {y}', 'Schritt nach Spalte {x}, Zeile {y}'], {
                        x: x + 1,
                        y: y + 1,
                    })}
                    onClick={() => onStep(direction)}
                    onKeyDown={(event) => {
                        if (event.key === 'Enter') {
                            event.preventDefault();
                            onStep(direction);
                        }
                    }}
                />
            ))}
        </svg>
    );
}
