// avatar.tsx: the pictures one may choose: small crests, drawn here.
import type * as preact from 'preact';
const CRESTS: Record<string, { ground: string; draw: preact.JSX.Element }> = {
    fox: { ground: '#d9793b', draw: <path d="M7 8l6 4h6l6-4-1 11-8 7-8-7zM12 17h.1M20 17h.1M15 22h2" /> },
    owl: {
        ground: '#5d5a8c',
        draw: (
            <path
                d="M8 7c4 3 12 3 16 0v12a8 8 0 0 1-16 0zM12.5 14a2.5 2.5 0 1 0 .1 0
                M19.5 14a2.5 2.5 0 1 0 .1 0M16 18l-1.5 2h3z"
            />
        ),
    },
    moon: { ground: '#33617e', draw: <path d="M20 6a10.5 10.5 0 1 0 6 15A9 9 0 0 1 20 6zM24 9v4M22 11h4" /> },
    leaf: { ground: '#4c8452', draw: <path d="M7 25C7 13 14 7 25 7c0 11-5 18-15 16M7 25l10-10" /> },
    key: { ground: '#a17c2f', draw: <path d="M11 11a4.5 4.5 0 1 0 .1 0M14.5 18.5 25 8M21 12l3 3M18 15l2 2" /> },
    tower: {
        ground: '#8a5a5a',
        draw: <path d="M9 26V11h14v15zM9 11V7h3v2h2.5V7h3v2H20V7h3v4M14 26v-5a2 2 0 0 1 4 0v5" />,
    },
    wave: { ground: '#2c8a8f', draw: <path d="M5 14c4-5 7 5 11 0s7 5 11 0M5 20c4-5 7 5 11 0s7 5 11 0" /> },
    star: {
        ground: '#8d4f80',
        draw: <path d="M16 5l3 8 8 .4-6.300 5 2.200 8L16 21.700 9.100 26.400l2.200-8L5 13.400 13 13z" />,
    },
};
export const AVATARS = Object.keys(CRESTS);

function crestOf(avatar: string | undefined, name: string): string {
    if (avatar !== undefined && avatar in CRESTS) return avatar;
    let sum = 0;
    for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 997;
    return AVATARS[sum % AVATARS.length]!;
}

export function Avatar({ avatar, name, large }: { avatar?: string; name: string; large?: boolean }) {
    const crest = CRESTS[crestOf(avatar, name)]!;
    return (
        <svg class={`avatar${large ? ' large' : ''}`} viewBox="0 0 32 32" aria-hidden="true">
            <circle cx="16" cy="16" r="16" fill={crest.ground} />
            <g fill="none" stroke="#fff" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round">
                {crest.draw}
            </g>
        </svg>
    );
}
