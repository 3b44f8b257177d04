// seats.tsx: who plays: dice as dice, hands as cards, which lie open in this game.
import type { View_Seat } from '../../generated/dead';
import { SeatName } from '../../ui/parts';
import { both } from '../../words/say';
import { classes } from '../../ui/classes';
import { Icon } from './icons';
import type { Lore } from './lore';

const DOTS: Record<number, [number, number][]> = {
    1: [[12, 12]],
    2: [
        [6, 6],
        [18, 18],
    ],
    3: [
        [6, 6],
        [12, 12],
        [18, 18],
    ],
    4: [
        [6, 6],
        [18, 6],
        [6, 18],
        [18, 18],
    ],
    5: [
        [6, 6],
        [18, 6],
        [12, 12],
        [6, 18],
        [18, 18],
    ],
    6: [
        [6, 6],
        [18, 6],
        [6, 12],
        [18, 12],
        [6, 18],
        [18, 18],
    ],
};

export function Die({ value }: { value: number }) {
    return (
        <svg class="die" viewBox="0 0 24 24" role="img" aria-label={both(['die {n}', 'Würfel {n}'], { n: value })}>
            <rect x="1" y="1" width="22" height="22" rx="5" />
            {(DOTS[value] ?? []).map(([x, y], n) => (
                <circle key={n} cx={x} cy={y} r="2.300" />
            ))}
        </svg>
    );
}

export function Card({
    id,
    lore,
    onClick,
    isChosen,
    isLit,
}: {
    id: number;
    lore: Lore;
    onClick?: () => void;
    isChosen?: boolean;
    isLit?: boolean;
}) {
    const fact = lore.card(id);
    const text = lore.names.texts.cards?.[fact.kind]?.text;
    return (
        <button
            class={`dcard kind-${fact.kind.replace('_', '')}${isChosen ? ' chosen' : ''}${isLit ? ' lit' : ''}`}
            disabled={!onClick}
            onClick={onClick}
            title={text}
            aria-pressed={onClick ? isChosen === true : undefined}
        >
            <span class="cardmark" aria-hidden="true">
                <Icon name={fact.kind} />
                {fact.amount ? <b>{fact.amount}</b> : null}
            </span>
            <span>{lore.cardName(id)}</span>
        </button>
    );
}

// Equal ones are named once, with how many there are.
function counted(names: readonly string[]): Map<string, number> {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
}

export function Seats({
    seats,
    lore,
    awaited,
    onTurn,
}: {
    seats: readonly View_Seat[];
    lore: Lore;
    awaited: number | undefined;
    onTurn: number | undefined;
}) {
    return (
        <ul class="deadseats">
            {seats.map((seat) => {
                const n = seat.player ?? 0;
                return (
                    <li
                        key={n}
                        class={classes(
                            'deadseat',
                            `seat-${n}`,
                            awaited === n && 'asked',
                            seat.in_game === false && 'out',
                        )}
                    >
                        <div class="row between">
                            <SeatName seat={n} name={lore.names.name(n)} isYou={n === lore.names.seat} />
                            {onTurn === n ? <span class="chip live">{both(['on turn', 'am Zug'])}</span> : null}
                        </div>
                        <div class="dice">
                            {(seat.dice ?? []).map((value, at) => (
                                <Die key={at} value={value} />
                            ))}
                        </div>
                        {n === lore.names.seat ? null : (
                            <div class="minicards">
                                {[...counted((seat.cards ?? []).map((id) => lore.cardName(id)))].map(
                                    ([name, count]) => (
                                        <span key={name} class="mini">
                                            {name}
                                            {count > 1 ? ` ×${count}` : ''}
                                        </span>
                                    ),
                                )}
                            </div>
                        )}
                    </li>
                );
            })}
        </ul>
    );
}
