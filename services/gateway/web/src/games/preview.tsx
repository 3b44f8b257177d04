// preview.tsx: a look at a set-up before a table is opened for it: its story, and what it is made of.
import { useEffect, useState } from 'preact/hooks';
import { setupFile, textsFile, type Texts } from '../proto/setup';
import { language } from '../words/say';

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
    if (game === 'dead') return `${setup.goal?.rounds ?? '?'} rounds · ${setup.locations?.length ?? '?'} places · morale ${setup.goal?.moral ?? '?'}`;
    if (game === 'objectron') return [setup.mode, setup.players && `${setup.players} players`, setup.width && `${setup.width} × ${setup.height}`].filter(Boolean).join(' · ');
    if (game === 'treasure') return setup.map ? `2 × ${setup.map.half_width} × ${setup.map.half_height} · ${setup.limits?.max_actions ?? '?'} actions` : '';
    if (game === 'quests') return `${setup.winning_shields ?? 7} shields · hand ${setup.hand_limit ?? 12}`;
    if (game === 'nim') return Array.isArray(setup.heaps) ? setup.heaps.join(' – ') : String(setup.heaps ?? '');
    return '';
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
