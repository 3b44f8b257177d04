// name.ts: how long a name or a reason may be: the house counts bytes, and people letters.
const NAME_BYTES_MOST = 32;
export const REASON_BYTES_MOST = 120;

export function isTooLong(text: string, bytesMost = NAME_BYTES_MOST): boolean {
    return new TextEncoder().encode(text.trim()).length > bytesMost;
}
