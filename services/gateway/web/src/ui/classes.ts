// classes.ts: the classes of an element that has some of them only sometimes.
export function classes(...names: (string | false | null | undefined)[]): string {
    return names.filter(Boolean).join(' ');
}
