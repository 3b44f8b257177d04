// ways.ts: which way each hunter went, as far as the views one was shown tell it.
//
// Between two views there may be several actions. Where a hunter was not seen to step from one field to its
// neighbour, nobody who looked on knows how he went: that is told as a gap, and not as a way through fields he may
// never have entered.
import type { Field } from '../../generated/treasure';

export interface Seen {
    seat: number;
    pos?: Field;
    isGuess?: boolean;
}
// Runs of fields, each the neighbour of the one before; and from where to where he was not seen to go.
export interface Way {
    seen: readonly (readonly Field[])[];
    gaps: readonly (readonly [Field, Field])[];
}

function apart(a: Field, b: Field): number {
    return Math.abs((a.x ?? 0) - (b.x ?? 0)) + Math.abs((a.y ?? 0) - (b.y ?? 0));
}

export function waysOf(views: readonly (readonly Seen[])[]): Map<number, Way> {
    const ways = new Map<number, { seen: Field[][]; gaps: [Field, Field][] }>([
        [0, { seen: [], gaps: [] }],
        [1, { seen: [], gaps: [] }],
    ]);
    for (const view of views)
        for (const { seat, pos, isGuess } of view) {
            const way = ways.get(seat);
            if (!way || !pos || isGuess) continue;
            const run = way.seen[way.seen.length - 1];
            const last = run?.[run.length - 1];
            const far = last ? apart(last, pos) : Infinity;
            if (far === 0) continue;
            if (far === 1) {
                run!.push(pos);
                continue;
            }
            if (last) way.gaps.push([last, pos]);
            way.seen.push([pos]);
        }
    return ways;
}
