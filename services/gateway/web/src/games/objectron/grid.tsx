// grid.tsx: the grid of objectron in SVG: squares, power, fields, items, trails, players; a click on a square is a
// step.
import type { Square, View, View_Item, View_Player } from '../../generated/objectron';
import { both } from '../../words/say';
import { classes } from '../../ui/classes';

const SIZE = 20;
const mid = (n: number | undefined) => (n ?? 0) * SIZE + SIZE / 2;
const at = (square: Square | undefined) => `${mid(square?.x)},${mid(square?.y)}`;
const key = (square: Square | undefined) => `${square?.x ?? 0},${square?.y ?? 0}`;

export const STEPS: Record<string, readonly [number, number]> = {
    DIRECTION_N: [0, -1],
    DIRECTION_NE: [1, -1],
    DIRECTION_E: [1, 0],
    DIRECTION_SE: [1, 1],
    DIRECTION_S: [0, 1],
    DIRECTION_SW: [-1, 1],
    DIRECTION_W: [-1, 0],
    DIRECTION_NW: [-1, -1],
};
const WAYS: Record<string, readonly [string, string]> = {
    DIRECTION_N: ['↑ up', '↑ nach oben'],
    DIRECTION_NE: ['↗ up and right', '↗ nach rechts oben'],
    DIRECTION_E: ['→ right', '→ nach rechts'],
    DIRECTION_SE: ['↘ down and right', '↘ nach rechts unten'],
    DIRECTION_S: ['↓ down', '↓ nach unten'],
    DIRECTION_SW: ['↙ down and left', '↙ nach links unten'],
    DIRECTION_W: ['← left', '← nach links'],
    DIRECTION_NW: ['↖ up and left', '↖ nach links oben'],
};
export const wayWords = (direction: string | undefined): string => both(WAYS[direction ?? ''] ?? ['', '']);
export const ITEMS: Record<string, readonly [string, string]> = {
    ITEM_KIND_LIGHT_GRENADE: ['light grenade', 'Lichtgranate'],
    ITEM_KIND_IDENTITY_DISC: ['identity disc', 'Identitätsscheibe'],
    ITEM_KIND_CHARGED_IDENTITY_DISC: ['charged disc', 'geladene Scheibe'],
    ITEM_KIND_TELEPORTER: ['teleporter', 'Teleporter'],
    ITEM_KIND_FORCE_FIELD_GENERATOR: ['field generator', 'Feldgenerator'],
    ITEM_KIND_FLAG: ['flag', 'Flagge'],
};

export function ItemShape({ item }: { item: View_Item }) {
    switch (item.kind) {
        case 'ITEM_KIND_LIGHT_GRENADE':
            return item.state === 'STATE_EXPLODED' ? (
                <path class="scrap" d="M-4 2l2-3 2 2 2-4 2 3-2 4z" />
            ) : (
                <g class="grenade">
                    <circle r="4.200" />
                    <path d="M0-4V-7M0-7h2.500" />
                </g>
            );
        case 'ITEM_KIND_IDENTITY_DISC':
            return (
                <g class="disc">
                    <circle r="5" />
                    <circle r="2" class="hole" />
                </g>
            );
        case 'ITEM_KIND_CHARGED_IDENTITY_DISC':
            return (
                <g class="disc charged">
                    <circle r="5" />
                    <path d="M1-4-2 .500h4L-1 4" />
                </g>
            );
        case 'ITEM_KIND_TELEPORTER':
            return (
                <g class="teleporter">
                    <circle r="7" />
                    <circle r="4" />
                    <circle r="1.300" class="core" />
                </g>
            );
        case 'ITEM_KIND_FORCE_FIELD_GENERATOR':
            return (
                <g class="generator">
                    <path d="M-5 5 0-6 5 5z" />
                    <circle cy="1.500" r="1.500" class="core" />
                </g>
            );
        default:
            return (
                <g class={`flag seat-${item.owner ?? 0}`}>
                    <path d="M-3 7V-7l9 3.500-9 3.500" />
                </g>
            );
    }
}

// Pieces that are linked make one line; where a teleporter lies between, a new one begins.
function trailLines(player: View_Player): Square[][] {
    const lines: Square[][] = [];
    let line: Square[] = player.at ? [player.at] : [];
    for (const piece of player.trail ?? []) {
        const last = line[line.length - 1];
        const isNear =
            last && Math.abs((last.x ?? 0) - (piece.x ?? 0)) <= 1 && Math.abs((last.y ?? 0) - (piece.y ?? 0)) <= 1;
        if (!isNear) {
            lines.push(line);
            line = [];
        }
        line.push(piece);
    }
    return [...lines, line].filter((one) => one.length > 0);
}

function Squares({ view }: { view: View }) {
    const dark = new Set(
        (view.failures ?? []).flatMap((one) => [one.primary, one.secondary, one.tertiary].filter(Boolean).map(key)),
    );
    return (
        <>
            {(view.rows ?? []).flatMap((row, y) =>
                [...row.padEnd(view.width ?? row.length)].map((cell, x) =>
                    cell === '*' ? null : (
                        <rect
                            key={`${x},${y}`}
                            x={x * SIZE + 0.6}
                            y={y * SIZE + 0.6}
                            width={SIZE - 1.2}
                            height={SIZE - 1.2}
                            rx="2.500"
                            class={cell === '#' ? 'wall' : dark.has(`${x},${y}`) ? 'square dark' : 'square'}
                        />
                    ),
                ),
            )}
        </>
    );
}

export function Grid({
    view,
    steps,
    closed,
    hinted,
    onStep,
    names,
}: {
    view: View;
    steps: readonly (readonly [number, number, number])[];
    closed: readonly (readonly [number, number, number])[];
    hinted: number | undefined;
    onStep: (direction: number) => void;
    names: (seat: number) => string;
}) {
    const width = (view.width ?? 1) * SIZE;
    const height = (view.height ?? 1) * SIZE;
    const words = both(['Grid of {w} by {h}', 'Raster von {w} mal {h}'], { w: view.width, h: view.height });
    return (
        <svg class="grid" viewBox={`-2 -2 ${width + 4} ${height + 4}`} role="group" aria-label={words}>
            <Squares view={view} />
            {(view.homes ?? []).map((home, seat) => (
                <g key={seat} class={`home seat-${seat}`} transform={`translate(${at(home)})`}>
                    <rect x="-8.500" y="-8.500" width="17" height="17" rx="3" />
                    <text y="3.200">{seat + 1}</text>
                </g>
            ))}
            {(view.fields ?? []).map((field) => (
                <g key={field.id} class={`field${field.on ? ' on' : ''}`}>
                    <polyline points={(field.squares ?? []).map(at).join(' ')} />
                </g>
            ))}
            {(view.players ?? [])
                .filter((one) => one.alive !== false)
                .flatMap((player) =>
                    trailLines(player).map((line, n) => (
                        <polyline
                            key={`${player.id}/${n}`}
                            class={`trail seat-${player.id ?? 0}`}
                            points={line.map(at).join(' ')}
                        />
                    )),
                )}
            {(view.items ?? [])
                .filter((item) => item.at)
                .map((item) => (
                    <g key={item.id} class="item" transform={`translate(${at(item.at)})`}>
                        <title>{both(ITEMS[item.kind ?? ''] ?? ['?', '?'])}</title>
                        <ItemShape item={item} />
                    </g>
                ))}
            {(view.players ?? [])
                .filter((one) => one.alive !== false && one.at)
                .map((player) => (
                    <g
                        key={player.id}
                        class={classes(
                            'rider',
                            `seat-${player.id ?? 0}`,
                            player.held && 'held',
                            view.current_player === player.id && 'now',
                        )}
                        style={{ transform: `translate(${mid(player.at?.x)}px, ${mid(player.at?.y)}px)` }}
                    >
                        <title>{names(player.id ?? 0)}</title>
                        <circle r="7" class="halo" />
                        <circle r="5.500" class="body" />
                        <text y="3">{(player.id ?? 0) + 1}</text>
                    </g>
                ))}
            {closed.map(([x, y, direction]) => (
                <rect
                    key={direction}
                    class="closed"
                    x={x * SIZE + 1}
                    y={y * SIZE + 1}
                    width={SIZE - 2}
                    height={SIZE - 2}
                    onClick={() => onStep(direction)}
                >
                    <title>{both(['Not open; click to hear why.', 'Nicht frei; ein Klick sagt, warum.'])}</title>
                </rect>
            ))}
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
