// emblem.tsx: each game's emblem, seen in the lobby, at tables and in lists: its folder's emblem.svg, or its first
// letter.
import { titleOf } from './face';

const DRAWN = import.meta.glob<string>('../../../../../common/games/*/emblem.svg', {
    query: '?raw',
    import: 'default',
    eager: true,
});
// Grounds on which a white letter can be read; the same game has always the same.
const GROUNDS = ['#7b4a8f', '#3d4f63', '#2b6a73', '#4a7a3f', '#7a6a3a', '#8a4a3a', '#3f5fa0', '#8a3f6a'];

function groundOf(game: string): string {
    return GROUNDS[[...game].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % GROUNDS.length]!;
}

export function Emblem({ game, size = 48 }: { game: string; size?: number }) {
    const drawn = DRAWN[`../../../../../common/games/${game}/emblem.svg`];
    const box = { class: 'emblem', viewBox: '0 0 48 48', width: size, height: size, 'aria-hidden': 'true' } as const;
    // The picture is a file of ours, and stands in the script: in the lobby each would be a request of its own.
    if (drawn) return <svg {...box} dangerouslySetInnerHTML={{ __html: drawn }} />;
    return (
        <svg {...box}>
            <rect width="48" height="48" rx="11" fill={groundOf(game)} />
            <text x="24" y="33" text-anchor="middle" font-size="26" font-weight="700" fill="#fff">
                {titleOf(game).charAt(0).toUpperCase()}
            </text>
        </svg>
    );
}
