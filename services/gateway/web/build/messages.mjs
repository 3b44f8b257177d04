// messages.mjs: writes the types of every message, and the few tables a page needs of them at run time.
//
//     generated/NAME.ts        the JSON form of a package: names as in the .proto, 64-bit integers and bytes as strings
//     generated/commands.ts    which fields a command has, in order: a pattern's values become a command by it
//     generated/file.ts        numbers and types of what stands in a match file, for the reader of its bytes
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findGames, out, root, writeGames } from './games.mjs';
import { readProtos, resolve } from './proto.mjs';

const FOUND = findGames();
const GAMES = FOUND.map((game) => game.name);
const PLAIN = {
    string: 'string',
    bytes: 'string',
    bool: 'boolean',
    int32: 'number',
    uint32: 'number',
    sint32: 'number',
    int64: 'string',
    uint64: 'string',
    sint64: 'string',
};

const shared = readdirSync(join(root, 'proto'))
    .filter((name) => name.endsWith('.proto'))
    .map((name) => join(root, 'proto', name));
const all = readProtos([...new Set([...shared, ...FOUND.map((game) => game.proto)])]);

const short = (pack) => pack.split('.').pop();
const flat = (name) => name.replace(/\./g, '_');

function typeOf(message, field) {
    let type = PLAIN[field.type];
    if (field.game) type = 'GameMessage';
    if (type === undefined) {
        const full = resolve(all, message, field.type);
        if (full === null) throw new Error(`${message.package}.${message.name}: there is no type ${field.type}`);
        const found = all.messages[full] ?? all.enums[full];
        type = (found.package === message.package ? '' : `${short(found.package)}.`) + flat(found.name);
    }
    return field.repeated ? `${type}[]` : type;
}

function typesOf(pack) {
    const used = new Set();
    const lines = [];
    for (const message of Object.values(all.messages).filter((one) => one.package === pack)) {
        const fields = message.fields.map((field) => {
            const type = typeOf(message, field);
            const other = type.match(/^(\w+)\./);
            if (other) used.add(other[1]);
            return `    ${field.name}?: ${type};`;
        });
        lines.push(`export interface ${flat(message.name)} {\n${fields.join('\n')}\n}`);
    }
    for (const one of Object.values(all.enums).filter((each) => each.package === pack))
        lines.push(`export type ${flat(one.name)} = ${one.values.map(([name]) => `'${name}'`).join(' | ')};`);
    const head = [`// ${short(pack)}.ts: the messages of ${pack} as JSON; written by build/messages.mjs.`];
    if (lines.some((line) => line.includes('GameMessage')))
        head.push("import type { GameMessage } from '../proto/game';");
    for (const name of [...used].sort()) head.push(`import type * as ${name} from './${name}';`);
    return `${head.join('\n')}\n\n${lines.join('\n\n')}\n`;
}

// For each game and kind of command: its fields, and of an enum the names of its numbers.
function commands() {
    const table = {};
    for (const game of GAMES) {
        const command = all.messages[`arbiter.${game}.Command`];
        table[game] = {};
        for (const kind of command.fields) {
            const message = all.messages[resolve(all, command, kind.type)];
            table[game][kind.name] = message.fields.map((field) => {
                const one = all.enums[resolve(all, message, field.type)];
                return one
                    ? [field.name, Object.fromEntries(one.values.map(([name, n]) => [n, name]))]
                    : [field.name, field.type === 'bool' ? 'bool' : 'number'];
            });
        }
    }
    return `// commands.ts: the fields of every command; written by build/messages.mjs.
export type CommandField = readonly [string, 'bool' | 'number' | Readonly<Record<string, string>>];
export const COMMANDS: Readonly<Record<string, Readonly<Record<string, readonly CommandField[]>>>> =
    ${JSON.stringify(table)};\n`;
}

// Everything that is reachable from a match file's records, from what acts hold, and from the games' events.
function tables() {
    const wanted = [
        'arbiter.match.Record',
        'arbiter.stream.ActBody',
        'arbiter.stream.BoxText',
        ...GAMES.map((game) => `arbiter.${game}.Event`),
    ];
    const table = {};
    while (wanted.length > 0) {
        const name = wanted.pop();
        if (table[name]) continue;
        const message = all.messages[name];
        table[name] = {};
        for (const field of message.fields) {
            const full = PLAIN[field.type] ? null : resolve(all, message, field.type);
            let type = field.type;
            if (full && all.messages[full]) {
                type = `.${full}`;
                wanted.push(full);
            } else if (full) type = Object.fromEntries(all.enums[full].values.map(([one, n]) => [n, one]));
            table[name][field.number] = [field.name, type, field.repeated ? 1 : 0];
        }
    }
    return `// file.ts: what stands in a match file, by field number; written by build/messages.mjs.
export type FileField = readonly [string, string | Readonly<Record<string, string>>, number];
export const FILE: Readonly<Record<string, Readonly<Record<string, FileField>>>> =
    ${JSON.stringify(table)} as never;\n`;
}

writeGames();
for (const pack of Object.keys(all.packages)) writeFileSync(join(out, `${short(pack)}.ts`), typesOf(pack));
writeFileSync(join(out, 'commands.ts'), commands());
writeFileSync(join(out, 'file.ts'), tables());
