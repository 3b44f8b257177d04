// preview.tsx: a look at a set-up before a table is opened for it: its story, and what it is made of.
import { useEffect, useState } from 'preact/hooks';
import { setupFile, textsFile, type Texts } from '../proto/setup';
import { language } from '../words/say';
import { aboutOf, loadWords } from './face';
import type { Json } from '../proto/game';
import { useOpening } from './use';
import { wordOf, type WordsFile } from './words';

// A grid as small squares: walls, holes and starts.
function Grid({ rows }: { rows: string[] }) {
    const width = Math.max(...rows.map((row) => row.length));
    return (
        <svg class="previewgrid" viewBox={`0 0 ${width} ${rows.length}`} aria-hidden="true">
            {rows.flatMap((row, y) =>
                [...row.padEnd(width)].map((cell, x) =>
                    cell === '*' ? null : (
                        <rect
                            key={`${x},${y}`}
                            x={x + 0.05}
                            y={y + 0.05}
                            width=".9"
                            height=".9"
                            rx=".15"
                            class={cell === '#' ? 'wall' : /\d/.test(cell) ? 'home' : 'free'}
                        />
                    ),
                ),
            )}
        </svg>
    );
}

// Of a game that brings no figures of its own: whatever the set-up says, as far as it fits on a line.
function plainFacts(words: WordsFile, setup: Json): string {
    const said = Object.entries(setup ?? {}).filter(
        ([, value]) =>
            typeof value !== 'object' || (Array.isArray(value) && value.every((one) => typeof one !== 'object')),
    );
    const label = (key: string) =>
        wordOf(words, language.value, ({ fields }) => fields?.[key]) ?? key.replace(/_/g, ' ');
    const text = (key: string, value: unknown) =>
        wordOf(words, language.value, ({ values }) => values?.[key]?.[String(value)]) ?? String(value);
    return said
        .map(
            ([key, value]) =>
                `${label(key)}: ${(Array.isArray(value) ? value : [value]).map((one) => text(key, one)).join(', ')}`,
        )
        .join(' · ');
}

export function Preview({ game, setup }: { game: string; setup: string }) {
    const opening = useOpening(game);
    const [found, setFound] = useState<{ file: Json; texts: Texts; words: WordsFile } | null>(null);
    useEffect(() => {
        let isCurrent = true;
        void Promise.all([setupFile(game, setup), textsFile(game, setup, language.value), loadWords(game)]).then(
            ([file, texts, words]) => {
                if (isCurrent) setFound(file ? { file, texts, words } : null);
            },
        );
        return () => {
            isCurrent = false;
        };
    }, [game, setup, language.value]);
    if (!found || !opening) return <div class="preview" />;
    const facts = opening.facts?.(found.file) ?? plainFacts(found.words, found.file);
    const { story, goal } = found.texts;
    return (
        <div class="preview">
            {Array.isArray(found.file.grid) ? <Grid rows={found.file.grid} /> : null}
            <div>
                {facts ? (
                    <p class="small num">
                        <strong>{facts}</strong>
                    </p>
                ) : null}
                <p class="small">{story ?? aboutOf(game)}</p>
                {goal ? <p class="small soft">{goal}</p> : null}
            </div>
        </div>
    );
}
