// proto.d.mts: the types of proto.mjs, for the tests.
export interface Field {
    name: string;
    type: string;
    number: number;
    repeated: boolean;
    oneof: boolean;
    game: boolean;
}
export interface Message {
    name: string;
    package: string;
    fields: Field[];
}
export interface Enumeration {
    name: string;
    package: string;
    values: [string, number][];
}
export interface All {
    packages: Record<string, unknown>;
    messages: Record<string, Message>;
    enums: Record<string, Enumeration>;
}
export function readProtos(files: readonly string[]): All;
export function resolve(all: All, inside: { package: string; name: string }, type: string): string | null;
