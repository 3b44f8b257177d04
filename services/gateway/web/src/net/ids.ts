// ids.ts: ids are base64 in messages and hexadecimal in addresses, where a person may read them out.
export function hexOf(base64: string | undefined): string {
    if (base64 === undefined) return '';
    return [...atob(base64)].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}
export function base64Of(hex: string): string {
    const pairs = hex.match(/[0-9a-f]{2}/gi) ?? [];
    return btoa(pairs.map((pair) => String.fromCharCode(parseInt(pair, 16))).join(''));
}
