// face.ts: what the page must know of a game to show it: a board, a sentence for each event, the rules in short.
//
// A game without a face is still played: by its words.json, or by the names in its .proto.
import type { Signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { GAMES, type Listed } from '../generated/games';
import type { Says } from '../matchfile/outcome';
import type { LogEntry } from '../net/match';
import type { GameMessage, Json } from '../proto/game';
import type { Choices } from '../proto/legal';
import type { Texts } from '../proto/setup';
import type { Reasons } from '../words/refusals';
import { language } from '../words/say';
import { wordOf, type WordsFile } from './words';

// Who and what the numbers in a match mean.
export interface Names {
    game: string;
    // How many there are.
    seats: number;
    seat: number | undefined;
    name: (seat: number | undefined) => string;
    setup: Json;
    options: Json;
    texts: Texts;
}

export interface BoardProps extends Names {
    view: GameMessage;
    choices: Choices;
    // What the house would do here, if it was asked for a hint.
    hinted?: GameMessage | null;
    toAct: boolean;
    over: boolean;
    fresh: readonly LogEntry[];
    // Views before this one, as far as they were seen; in a replay, all of them.
    past: readonly GameMessage[];
    play: (command: GameMessage) => Promise<boolean>;
    isReplay: boolean;
}

export interface Face {
    Board: ComponentType<BoardProps>;
    sentence: (event: GameMessage, names: Names) => string | null;
    // A command in words: for the list of possible actions, and for hints.
    deed: (command: GameMessage, names: Names) => string;
    // What the seat is asked, in words.
    asked?: (view: GameMessage, names: Names) => string | null;
    // Who has won, once the view says it: seats, and none of them if all have lost. null: it does not say, or it is a
    // draw.
    winners?: (view: GameMessage) => readonly number[] | null;
    // The same, as an event of a match file says it.
    outcome?: Says;
    // A mark on a replay's timeline, where this event begins something.
    mark?: (event: GameMessage, names: Names) => string | null;
    // What to ask before a command that one may regret; null: nothing.
    doubt?: (command: GameMessage, view: GameMessage, names: Names, choices: Choices) => string | null;
    // What one seat knows others at the same device are not to see.
    isSecret?: boolean;
    // Whether dice fall in this match. The house makes some for each; where none fall nobody is to hear of them.
    hasDice: (names: Pick<Names, 'setup'>) => boolean;
    // Events worth a moment of their own before the eyes.
    isLoud?: (event: GameMessage) => boolean;
    // Paragraphs, in the reader's language.
    rules: () => readonly string[];
    // What these rules refuse, by language: the house says it in English.
    reasons: Reasons;
}

// What a game's folder brings; the rest is general (general/face.tsx).
export type OwnFace = Partial<Face>;

// What it brings for the dialog in which a table is opened.
export interface Opening {
    // The few figures that tell one set-up from another.
    facts?: (setup: Json) => string;
    // How few and how many may sit, where the set-up says so.
    seats?: (setup: Json) => readonly [number, number] | undefined;
    // One more choice beside the set-up: its field, and what it adds to the table's options.
    Choice?: ComponentType<{ setup: string; own: string; chosen: Signal<string> }>;
    options?: (setup: string, own: string, chosen: string) => Record<string, unknown>;
}

// Games are found, here and by the build: nothing names them.
const FACES = import.meta.glob<OwnFace>('./*/face.tsx', { import: 'face' });
const OPENINGS = import.meta.glob<Opening>('./*/opening.tsx', { import: 'opening' });
const WORDS = import.meta.glob<WordsFile>('../../../../../common/games/*/words.json', { import: 'default' });

export async function loadFace(game: string): Promise<Face> {
    const own = FACES[`./${game}/face.tsx`];
    const [words, face, { generalFace }] = await Promise.all([
        loadWords(game),
        own ? own() : {},
        import('./general/face'),
    ]);
    return { ...generalFace(words), ...face };
}
export async function loadOpening(game: string): Promise<Opening> {
    return (await OPENINGS[`./${game}/opening.tsx`]?.()) ?? {};
}
export async function loadWords(game: string): Promise<WordsFile> {
    return (await WORDS[`../../../../../common/games/${game}/words.json`]?.()) ?? {};
}

export function infoOf(game: string): Listed | undefined {
    return GAMES.find((one) => one.id === game);
}
export function titleOf(game: string): string {
    const info = infoOf(game);
    return (info && wordOf(info, language.value, ({ title }) => title)) ?? game;
}
export function aboutOf(game: string): string {
    const info = infoOf(game);
    return (info && wordOf(info, language.value, ({ about }) => about)) ?? '';
}
// By their titles, as whoever reads them would look for them.
export function allGames(): string[] {
    return GAMES.map((game) => game.id).sort((a, b) => titleOf(a).localeCompare(titleOf(b), language.value));
}
