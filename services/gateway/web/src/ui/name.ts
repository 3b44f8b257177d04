// name.ts: how long a name may be: the house counts bytes, and people letters.
const BYTES_MOST = 32;

export function isTooLong(name: string): boolean {
    return new TextEncoder().encode(name.trim()).length > BYTES_MOST;
}
