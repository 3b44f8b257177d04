// tell.ts: what a game's message says, in words: by its words.json, or else by the names in its .proto.
import { kindOf, type GameMessage } from '../proto/game';
import { wordOf, type FieldKind, type Words, type WordsFile } from './words';

const YES_NO: Readonly<Record<string, readonly [string, string]>> = { en: ['yes', 'no'], de: ['ja', 'nein'] };
// What stands between braces: a field, and perhaps one form for one and another for many.
const PLACEHOLDER = /\{([\w.]+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g;
// What somebody is still to choose.
export const OPEN = '…';
// What stands between brackets is left out with its fields.
const PART = /\[([^[\]]*)\]/g;

type Fields = Readonly<Record<string, unknown>>;

function spaced(name: string): string {
    return name.replace(/_/g, ' ');
}
function isMessage(value: unknown): value is Fields {
    return value !== null && typeof value === 'object' && !Array.isArray(value);
}
function isMissing(value: unknown): boolean {
    return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
// The one of two forms: of a list it is how many there are that counts.
function isOne(value: unknown): boolean {
    return Array.isArray(value) ? value.length === 1 : value === true || Number(value) === 1;
}
function at(message: Fields, path: string): unknown {
    let found: unknown = message;
    for (const name of path.split('.')) found = isMessage(found) ? found[name] : undefined;
    return found;
}
function lastOf(path: string): string {
    return path.slice(path.lastIndexOf('.') + 1);
}

export class Teller {
    constructor(
        readonly file: WordsFile,
        readonly language: string,
        readonly name: (seat: number) => string,
    ) {}

    kind(field: string): FieldKind {
        return this.file.fields?.[field] ?? 'number';
    }
    isSeat(field: string): boolean {
        const kind = this.kind(field);
        return (
            kind === 'seat' ||
            kind === 'turn' ||
            kind === 'winners' ||
            kind === 'in' ||
            (typeof kind === 'object' && 'of' in kind)
        );
    }
    private isPlace(field: string): boolean {
        const kind = this.kind(field);
        return kind === 'place' || (typeof kind === 'object' && ('place' in kind || 'column' in kind || 'row' in kind));
    }
    private word<Found>(pick: (words: Words) => Found | undefined): Found | undefined {
        return wordOf(this.file, this.language, pick);
    }
    hasLabel(field: string): boolean {
        return this.word(({ fields }) => fields?.[field]) !== undefined;
    }
    label(field: string): string {
        return this.word(({ fields }) => fields?.[field]) ?? spaced(field);
    }
    // What stands for this value of this field, if words.json says so.
    value(field: string, value: unknown): string | undefined {
        return this.word(({ values }) => values?.[field]?.[String(value)]);
    }

    text(field: string, value: unknown): string {
        if (isMissing(value)) return '';
        if (value === OPEN) return OPEN;
        if (Array.isArray(value)) return value.map((one) => this.text(field, one)).join(', ');
        if (isMessage(value))
            return Object.entries(value)
                .map(([name, one]) => `${this.label(name)} ${this.text(name, one)}`)
                .join(' ');
        const said = this.value(field, value);
        if (said !== undefined) return said;
        if (this.isSeat(field)) return this.name(Number(value));
        if (this.isPlace(field)) return String(Number(value) + 1);
        if (typeof value === 'boolean') return (YES_NO[this.language] ?? YES_NO['en'])![value ? 0 : 1];
        return String(value);
    }

    // A command or an event; null: it is not told.
    sentence(of: 'commands' | 'events', message: GameMessage): string | null {
        const kind = kindOf(message);
        const fields = isMessage(message[kind]) ? message[kind] : {};
        const written = this.word((words) => words[of]?.[kind]);
        if (written === undefined) return this.spelled(kind, fields);
        return written === '' ? null : this.filled(written, fields);
    }
    private spelled(kind: string, fields: Fields): string {
        const said = Object.entries(fields).filter(([, value]) => !isMissing(value));
        return [spaced(kind), ...said.map(([name, value]) => `${spaced(name)} ${this.text(name, value)}`)].join(' ');
    }
    private filled(written: string, fields: Fields): string {
        const isWhole = (part: string) =>
            [...part.matchAll(PLACEHOLDER)].every(([, path]) => !isMissing(at(fields, path!)));
        const kept = written.replace(PART, (_, part: string) => (isWhole(part) ? part : ''));
        return kept.replace(PLACEHOLDER, (_, path: string, one?: string, many?: string) => {
            const value = at(fields, path);
            return one === undefined ? this.text(lastOf(path), value) : isOne(value) ? one : (many ?? '');
        });
    }
}
