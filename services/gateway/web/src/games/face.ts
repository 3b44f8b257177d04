// face.ts: what the page must know of a game to show it: a board, a sentence for each event, the rules in short.
//
// A game without a face is still played: board.tsx shows its view as it is, and its possible actions as a list.
import type { ComponentType } from 'preact';
import type { LogEntry } from '../net/match';
import type { GameMessage } from '../proto/game';
import type { Choices } from '../proto/legal';
import type { Texts } from '../proto/setup';
import type { Reasons } from '../words/refusals';
import type { Both } from '../words/say';

// Who and what the numbers in a match mean.
export interface Names {
    seat: number | undefined;
    name: (seat: number | undefined) => string;
    setup: any;
    options: any;
    texts: Texts;
}

export interface BoardProps extends Names {
    view: GameMessage;
    choices: Choices;
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
    // Who has won, once the view says it: seats, and none of them if all have lost. null: it does not say, or it is a draw.
    winners?: (view: GameMessage) => readonly number[] | null;
    // A mark on a replay's timeline, where this event begins something.
    mark?: (event: GameMessage, names: Names) => string | null;
    // What one seat knows others at the same device are not to see.
    isSecret?: boolean;
    // Events worth a moment of their own before the eyes.
    isLoud?: (event: GameMessage) => boolean;
    rules: readonly Both[];
    // What these rules refuse, in German: the house says it in English.
    reasons?: Reasons;
    // The list of actions stands open, for the board itself has nothing to click.
    isListed?: boolean;
}

export interface GameInfo { id: string; title: Both; tag: Both; seats: readonly [number, number]; load: () => Promise<Face> }

export const GAMES: readonly GameInfo[] = [
    { id: 'quests', title: ['Quests', 'Quests'], seats: [4, 4],
        tag: ['Sponsor a quest of foes, or tackle another’s, for shields.', 'Richte eine Quest voller Gegner aus oder bestehe die der anderen, für Schilde.'],
        load: () => import('./quests/face').then((it) => it.face) },
    { id: 'dead', title: ['The dead', 'Die Toten'], seats: [1, 16],
        tag: ['Hold a colony through the winter, together.', 'Haltet gemeinsam eine Kolonie durch den Winter.'],
        load: () => import('./dead/face').then((it) => it.face) },
    { id: 'objectron', title: ['Objectron', 'Objectron'], seats: [2, 9],
        tag: ['Race on a grid, dragging a wall of light.', 'Ein Wettlauf im Raster, hinter dir eine Wand aus Licht.'],
        load: () => import('./objectron/face').then((it) => it.face) },
    { id: 'treasure', title: ['Treasure hunt', 'Schatzsuche'], seats: [2, 2],
        tag: ['Two programs hunt through fog; or steer one yourself.', 'Zwei Programme suchen im Nebel; oder steuere selbst.'],
        load: () => import('./treasure/face').then((it) => it.face) },
    { id: 'nim', title: ['Nim', 'Nim'], seats: [2, 4],
        tag: ['Take counters from heaps; the last one counts.', 'Nimm Steine von Haufen; der letzte zählt.'],
        load: () => import('./nim/face').then((it) => it.face) },
];

export function infoOf(game: string): GameInfo | undefined {
    return GAMES.find((one) => one.id === game);
}
