// print.ts: a set-up's fingerprint, so that a match's text finds the name of its set-up again.

// What a set-up says, as a number; as in build/setups.mjs.
export function print(text: string): number {
    let hash = 0x811c9dc5;
    for (const letter of JSON.stringify(JSON.parse(text))) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
    return hash >>> 0;
}
