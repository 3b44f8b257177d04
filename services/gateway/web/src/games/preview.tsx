// preview.tsx: a look at a set-up before a table is opened for it: its story, and what it is made of.
import { useEffect, useState } from 'preact/hooks';
import { setupFile, textsFile, type Texts } from '../proto/setup';
import { both, language } from '../words/say';

// A grid as small squares: walls, holes and starts.
function Grid({ rows }: { rows: string[] }) {
    const width = Math.max(...rows.map((row) => row.length));
    return (
        <svg class="previewgrid" viewBox={`0 0 ${width} ${rows.length}`} aria-hidden="true">
            {rows.flatMap((row, y) => [...row.padEnd(width)].map((cell, x) => cell === '*' ? null
                : <rect key={`${x},${y}`} x={x + 0.05} y={y + 0.05} width=".9" height=".9" rx=".15"
                    class={cell === '#' ? 'wall' : /\d/.test(cell) ? 'home' : 'free'} />))}
        </svg>
    );
}

// The few figures that tell one set-up from another.
function facts(game: string, setup: any): string {
    switch (game) {
    case 'dead': return both(['{r} rounds · {l} places · morale {m}', '{r} Runden · {l} Orte · Moral {m}'], { r: setup.goal?.rounds, l: setup.locations?.length, m: setup.goal?.moral });
    case 'objectron': return [both(setup.mode === 'race' ? ['race', 'Rennen'] : ['capture the flag', 'Flaggenraub']), both(['{n} players', '{n} Spieler'], { n: setup.players }),
        setup.width ? `${setup.width} × ${setup.height}` : ''].filter(Boolean).join(' · ');
    case 'treasure': return both(['two halves of {w} × {h} · at most {n} actions', 'zwei Hälften zu {w} × {h} · höchstens {n} Aktionen'], { w: setup.map?.half_width, h: setup.map?.half_height, n: setup.limits?.max_actions });
    case 'quests': return both(['{s} shields win · {h} cards in hand', '{s} Schilde gewinnen · {h} Karten auf der Hand'], { s: setup.winning_shields ?? 7, h: setup.hand_limit ?? 12 });
    default: return Array.isArray(setup.heaps) ? setup.heaps.join(' – ') : both(['random heaps', 'zufällige Haufen']);
    }
}

export function Preview({ game, setup }: { game: string; setup: string }) {
    const [found, setFound] = useState<{ file: any; texts: Texts } | null>(null);
    useEffect(() => {
        let isCurrent = true;
        void Promise.all([setupFile(game, setup), textsFile(game, setup, language.value)])
            .then(([file, texts]) => { if (isCurrent) setFound(file ? { file, texts } : null); });
        return () => { isCurrent = false; };
    }, [game, setup, language.value]);
    if (!found) return <div class="preview" />;
    return (
        <div class="preview">
            {Array.isArray(found.file.grid) ? <Grid rows={found.file.grid} /> : null}
            <div><p class="small num"><strong>{facts(game, found.file)}</strong></p>
                {found.texts.story ? <p class="small">{found.texts.story}</p> : null}
                {found.texts.goal ? <p class="small soft">{found.texts.goal}</p> : null}</div>
        </div>
    );
}
