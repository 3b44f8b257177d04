// proto.mjs: reads our .proto files: proto2, messages, enums and one oneof each, no more.
//
// A whole compiler would be a dependency of some megabytes for a grammar of a page. What this reader does not know
// it refuses with file and line, so that a new word in proto/ is met here and not in somebody's browser.
import { readFileSync } from 'node:fs';

const TOKEN = /"[^"]*"|\/\/[^\n]*|[A-Za-z_][\w.]*|\d+|[{}=;[\],]|\n/g;

function tokens(text) {
    let line = 1;
    let said = '';
    const list = [];
    for (const [token] of text.matchAll(TOKEN)) {
        if (token === '\n') line++;
        else if (token.startsWith('//')) {
            const last = list[list.length - 1];
            if (last && last.line === line) last.comment = (last.comment ?? '') + token.slice(2);
            else said += token.slice(2);
        } else {
            list.push({ token, line, before: said });
            said = '';
        }
    }
    return list;
}

class Reader {
    constructor(file) {
        this.file = file;
        this.list = tokens(readFileSync(file, 'utf8'));
        this.at = 0;
    }
    fail(word) {
        const near = this.list[this.at - 1];
        throw new Error(`${this.file}:${near?.line}: ${word}, got ${near?.token}`);
    }
    get peek() {
        return this.list[this.at]?.token;
    }
    take(wanted) {
        const next = this.list[this.at++];
        if (next === undefined || (wanted !== undefined && next.token !== wanted)) this.fail(`wanted ${wanted}`);
        return next;
    }
    skipTo(end) {
        while (this.take().token !== end);
    }

    file_() {
        const file = { package: '', messages: [], enums: [] };
        while (this.at < this.list.length) {
            const { token } = this.take();
            if (token === 'package') file.package = this.take().token;
            else if (token === 'message') file.messages.push(this.message(''));
            else if (token === 'enum') file.enums.push(this.enumeration(''));
            else if (token === 'syntax' || token === 'import') {
                this.skipTo(';');
                continue;
            } else this.fail('wanted a message');
            if (token === 'package') this.take(';');
        }
        return file;
    }
    enumeration(outer) {
        const name = outer + this.take().token;
        const values = [];
        this.take('{');
        while (this.peek !== '}') {
            const value = this.take().token;
            this.take('=');
            values.push([value, Number(this.take().token)]);
            this.take(';');
        }
        this.take('}');
        return { name, values };
    }
    message(outer) {
        const message = { name: outer + this.take().token, fields: [], messages: [], enums: [] };
        this.take('{');
        this.body(message, false);
        return message;
    }
    body(message, isOneof) {
        const inner = `${message.name}.`;
        while (this.peek !== '}') {
            const { token } = this.take();
            if (token === 'message') message.messages.push(this.message(inner));
            else if (token === 'enum') message.enums.push(this.enumeration(inner));
            else if (token === 'reserved') this.skipTo(';');
            else if (token === 'oneof') {
                this.take();
                this.take('{');
                this.body(message, true);
            } else if (token === 'optional' || token === 'repeated')
                message.fields.push(this.field(token === 'repeated', this.take().token, isOneof));
            else if (isOneof) message.fields.push(this.field(false, token, true));
            else this.fail('wanted a field');
        }
        this.take('}');
    }
    field(repeated, type, oneof) {
        const { token: name, line } = this.take();
        this.take('=');
        const number = Number(this.take().token);
        if (this.peek === '[') this.skipTo(']');
        const end = this.take(';');
        if (end.line < line) this.fail('wanted a field');
        return { name, type, number, repeated, oneof, game: /\bGAME\b/.test(end.comment ?? '') };
    }
}

// Every message and enum of these files, by full name.
export function readProtos(files) {
    const all = { packages: {}, messages: {}, enums: {} };
    const gather = (pack, messages, enums) => {
        for (const one of enums) all.enums[`${pack}.${one.name}`] = { ...one, package: pack };
        for (const one of messages) {
            all.messages[`${pack}.${one.name}`] = { ...one, package: pack };
            gather(pack, one.messages, one.enums);
        }
    };
    for (const path of files) {
        const file = new Reader(path).file_();
        all.packages[file.package] = file;
        gather(file.package, file.messages, file.enums);
    }
    return all;
}

// The full name of a type as the message `inside` means it: the innermost scope first.
export function resolve(all, inside, type) {
    const scope = `${inside.package}.${inside.name}`.split('.');
    for (let n = scope.length; n >= 0; n--) {
        const full = [...scope.slice(0, n), type].join('.');
        if (all.messages[full] || all.enums[full]) return full;
    }
    return null;
}
