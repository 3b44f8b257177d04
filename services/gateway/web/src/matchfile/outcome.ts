// outcome.ts: who has won, as the chained events of a match themselves say it, to be held against the file's outcome.
//
// The rules alone can say it of every match. A game's face reads it from the last words that the game always says.
import { readMessage, type Read } from './bytes';

// For each seat above 0 if it has won, below 0 if it has lost; null: this event does not say.
export type Signs = readonly number[] | null;
export type Says = (event: Read, seats: number) => Signs;

// Of a list of winners: all others have lost.
export function signsOf(winners: readonly number[] | undefined, seats: number): number[] {
    return Array.from({ length: seats }, (_, seat) => (winners?.includes(seat) ? 1 : -1));
}

// What the last acts say of the outcome; null: nothing that this page can read.
export function outcomeSaid(says: Says, game: string, seats: number, acts: readonly Read[]): Signs {
    for (let at = acts.length - 1; at >= 0 && at > acts.length - 6; at--) {
        const body = readMessage('arbiter.stream.ActBody', acts[at]!['body'] ?? new Uint8Array(0));
        for (const one of [...(body['events'] ?? [])].reverse()) {
            if (!one.event) continue;
            const signs = says(readMessage(`arbiter.${game}.Event`, one.event), seats);
            if (signs) return signs;
        }
    }
    return null;
}
