// outcome.ts: who has won, as the chained events of a match themselves say it, to be held against the file's outcome.
//
// The rules alone can say it of every match; this looks at the last words that a game always says, and knows nothing
// of a game that it cannot read from them.
import { readMessage, type Read } from './bytes';

type Signs = number[] | null;

const SAYS: Record<string, (event: Read, seats: number) => Signs> = {
    quests: (event, seats) => event['game_over'] ? winners(event['game_over'].winners, seats) : null,
    nim: (event, seats) => event['over'] ? winners(event['over'].winners, seats) : null,
    objectron: (event, seats) => {
        const over = event['game_over'];
        if (!over) return null;
        return over.winner === undefined ? new Array<number>(seats).fill(0) : winners([over.winner], seats);
    },
    treasure: (event) => {
        const result = event['game_end']?.result;
        return ({ RESULT_P1_WIN: [1, -1], RESULT_P2_WIN: [-1, 1], RESULT_BOTH_LOSE: [-1, -1], RESULT_ABORTED: [0, 0] } as Record<string, number[]>)[result] ?? null;
    },
};

function winners(list: number[] | undefined, seats: number): number[] {
    return Array.from({ length: seats }, (_, seat) => (list?.includes(seat) ? 1 : -1));
}

// What the last acts say of the outcome; null: nothing that this page can read.
export function outcomeSaid(game: string, seats: number, acts: readonly Read[]): Signs {
    const says = SAYS[game];
    if (!says) return null;
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
