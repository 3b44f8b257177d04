// cards.tsx: the cards of quests, drawn: foes in red with a beast's head, weapons in blue with what they are.
import type { JSX } from 'preact';
import type { Card } from '../../generated/quests';
import { both, t, type Both } from '../../words/say';

const WEAPONS: Record<string, { name: Both; draw: JSX.Element }> = {
    D: { name: ['Dagger', 'Dolch'], draw: <path d="M20 4l3 5v13h-6V9zM13 23h14M20 23v10M18 33h4" /> },
    S: { name: ['Sword', 'Schwert'], draw: <path d="M20 2l2.500 4v18h-5V6zM12 25h16M20 25v9M18 35h4" /> },
    H: {
        name: ['Horse', 'Pferd'],
        draw: <path d="M12 34c0-9 1-12 3-16l-5 3-3-4 8-9 1-4 4 3c8 2 11 9 11 17l1 10M20 12h.1" />,
    },
    B: {
        name: ['Battle-axe', 'Streitaxt'],
        draw: <path d="M20 4v32M20 7c5-4 11-1 12 7-4-2-8-1-12 3M20 7c-5-4-11-1-12 7 4-2 8-1 12 3" />,
    },
    L: { name: ['Lance', 'Lanze'], draw: <path d="M8 34 30 8M30 8l4-5-1 7zM13 24l7 6M10 34l-3 3" /> },
    E: {
        name: ['Excalibur', 'Excalibur'],
        draw: (
            <path
                d="M20 2l3 5v16h-6V7zM11 24c6 3 12 3 18 0M20 25v8
                M17 35a3 3 0 0 0 6 0M8 8l3 2M32 8l-3 2M6 16h3M34 16h-3"
            />
        ),
    },
};
const BEAST = (
    <path
        d="M8 10c4 2 6 1 8-1h8c2 2 4 3 8 1-1 4-2 6-2 9 0 8-5 13-10 15-5-2-10-7-10-15 0-3-1-5-2-9zM14 18l4 2M26 18l-4 2
        M15 27l2-2 1.500 2 1.500-2 1.500 2 1.500-2 2 2"
    />
);

export function cardName(card: string | undefined): string {
    const code = (card ?? '').replace('CARD_', '');
    const value = code.slice(1);
    return code[0] === 'F'
        ? both(['Foe {v}', 'Gegner {v}'], { v: value })
        : `${both(WEAPONS[code[0] ?? '']?.name ?? ['?', '?'])} ${value}`;
}
export function isFoe(card: Card): boolean {
    return card.startsWith('CARD_F');
}

// What cards are worth together: the numbers on them, added.
export function worth(cards: readonly Card[]): number {
    return cards.reduce((sum, card) => sum + Number(card.replace(/\D/g, '')), 0);
}

export function Face({ card }: { card: Card }) {
    const code = card.replace('CARD_', '');
    const foe = isFoe(card);
    return (
        <span class={`qcard ${foe ? 'foe' : 'weapon'}`}>
            <span class="value">{code.slice(1)}</span>
            <svg viewBox="0 0 40 38" aria-hidden="true">
                <g fill="none" stroke="currentColor" stroke-width="2.2" stroke-linejoin="round" stroke-linecap="round">
                    {foe ? BEAST : WEAPONS[code[0]!]?.draw}
                </g>
            </svg>
            <span class="title">{foe ? both(['Foe', 'Gegner']) : both(WEAPONS[code[0]!]?.name ?? ['', ''])}</span>
        </span>
    );
}

export function Backs({ count }: { count: number }) {
    return (
        <span
            class="backs"
            role="img"
            aria-label={both(['{n} {n|card|cards} face down', '{n} verdeckte {n|Karte|Karten}'], { n: count })}
        >
            {Array.from({ length: Math.min(count, 8) }, (_, n) => (
                <i key={n} />
            ))}
            <b class="num">{count}</b>
        </span>
    );
}

export function Shields({ count, of }: { count: number; of: number }) {
    return (
        <span
            class="shields"
            role="img"
            aria-label={both(['{n} of {of} shields', '{n} von {of} Schilden'], { n: count, of })}
        >
            {Array.from({ length: Math.max(of, count) }, (_, n) => (
                <svg key={n} viewBox="0 0 16 18" class={n < count ? 'has' : ''} aria-hidden="true">
                    <path d="M8 1l6.500 2v6c0 4-3 6.500-6.500 8C4.500 15.500 1.500 13 1.500 9V3z" />
                </svg>
            ))}
        </span>
    );
}

const EVENTS: Record<string, { name: Both; does: Both }> = {
    EVENT_CARD_PLAGUE: {
        name: ['Plague', 'Pest'],
        does: ['The player on turn loses two shields.', 'Wer am Zug ist, verliert zwei Schilde.'],
    },
    EVENT_CARD_QUEEN: {
        name: ['Queen’s favour', 'Gunst der Königin'],
        does: ['The player on turn draws two cards.', 'Wer am Zug ist, zieht zwei Karten.'],
    },
    EVENT_CARD_PROSPERITY: {
        name: ['Prosperity', 'Wohlstand'],
        does: ['Everybody draws two cards.', 'Alle ziehen zwei Karten.'],
    },
};
export function eventName(card: string | undefined): string {
    const stages = card?.match(/_Q(\d)$/)?.[1];
    if (stages) return both(['Quest of {n} stages', 'Quest mit {n} Stufen'], { n: stages });
    return EVENTS[card ?? ''] ? both(EVENTS[card!]!.name) : t('start');
}
export function EventCard({ card, sponsor }: { card: string | undefined; sponsor: string | undefined }) {
    if (!card) return <div class="eventcard none" aria-hidden="true" />;
    const quest = /_Q\d$/.test(card);
    return (
        <div class={`eventcard ${quest ? 'quest' : 'event'}`} key={card}>
            <strong>{eventName(card)}</strong>
            <span class="small">
                {quest
                    ? sponsor === undefined
                        ? both(['Who sponsors it?', 'Wer richtet sie aus?'])
                        : both(['Sponsored by {name}', 'Ausgerichtet von {name}'], { name: sponsor })
                    : both(EVENTS[card]?.does ?? ['', ''])}
            </span>
        </div>
    );
}
