// emblem.tsx: each game's emblem, drawn here: seen in the lobby, at tables and in lists.
import type { JSX } from 'preact';

const DRAWN: Record<string, { ground: string; draw: JSX.Element }> = {
    quests: { ground: '#7b4a8f', draw: <><path d="M24 6 40 11v13c0 9-7 15-16 18C15 39 8 33 8 24V11z" fill="#f3d9a0" />
        <path d="M24 12v24M17 20h14" stroke="#7b4a8f" stroke-width="3.4" stroke-linecap="round" /></> },
    dead: { ground: '#3d4f63', draw: <><path d="M24 7 42 22h-4v19H10V22H6z" fill="#e9eef2" />
        <path d="M20 41V30h8v11zM15 24h6M27 24h6" stroke="#3d4f63" stroke-width="2.4" fill="#d9a24b" />
        <path d="M8 12h.1M38 9h.1M14 6h.1M33 5h.1M41 15h.1" stroke="#fff" stroke-width="3" stroke-linecap="round" /></> },
    objectron: { ground: '#14333d', draw: <><path d="M10 10h28v28H10zM10 19.300h28M10 28.600h28M19.300 10v28M28.600 10v28" stroke="#2f6e7b" stroke-width="1.500" fill="none" />
        <path d="M14.500 33.500V24h19v-9.500" stroke="#55e0f2" stroke-width="3.600" fill="none" stroke-linejoin="round" />
        <circle cx="33.500" cy="14.500" r="3.600" fill="#fff" /></> },
    treasure: { ground: '#4a7a3f', draw: <><path d="M8 20h32v19H8z" fill="#a9672d" /><path d="M8 20c0-8 4-11 8-11h16c4 0 8 3 8 11z" fill="#c5813f" />
        <path d="M8 26h32" stroke="#5d3716" stroke-width="2" /><path d="M20.500 22h7v8h-7z" fill="#f6cf59" /></> },
    nim: { ground: '#7a6a3a', draw: <><circle cx="24" cy="13" r="5.500" fill="#f4e6b5" /><circle cx="16" cy="24" r="5.500" fill="#f4e6b5" /><circle cx="32" cy="24" r="5.500" fill="#f4e6b5" />
        <circle cx="9.500" cy="35" r="5.500" fill="#f4e6b5" /><circle cx="24" cy="35" r="5.500" fill="#f4e6b5" /><circle cx="38.500" cy="35" r="5.500" fill="#f4e6b5" /></> },
};

export function Emblem({ game, size = 48 }: { game: string; size?: number }) {
    const emblem = DRAWN[game] ?? DRAWN['nim']!;
    return (
        <svg class="emblem" viewBox="0 0 48 48" width={size} height={size} aria-hidden="true">
            <rect width="48" height="48" rx="11" fill={emblem.ground} />{emblem.draw}
        </svg>
    );
}
