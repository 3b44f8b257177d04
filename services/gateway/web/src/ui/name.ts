// name.ts: how long a name, a reason or an announcement may be: the house counts bytes, and people letters.
const NAME_BYTES_MOST = 32;
export const REASON_BYTES_MOST = 120;
export const NOTICE_BYTES_MOST = 200;

export function isTooLong(text: string, bytesMost = NAME_BYTES_MOST): boolean {
    return new TextEncoder().encode(text.trim()).length > bytesMost;
}
