// games.d.mts: the types of games.mjs, for the tests.
import type { WordsFile } from '../src/games/words';

export interface Found {
    name: string;
    folder: string;
    proto: string;
    seats: [number, number];
    levels: number;
    setups: string | undefined;
}
export const root: string;
export const out: string;
export function findGames(top?: string): Found[];
export function wordsOf(folder: string): WordsFile;
export function writeGames(): void;
