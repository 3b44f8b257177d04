// door.ts: the one connection to the house: opens, says hello, resumes where it left off, and never loses an answer.
//
// Everything the house tells comes in one order. What has a number is the player's own stream, and is resumed by the
// last number seen; what answers a request comes back with that request's number. While there is no connection, acts
// are refused at once instead of being kept: a move that is sent a minute later is not what the player meant. Who one
// is stands in a cookie that this script cannot read.
import { signal } from '@preact/signals';
import type { Down, Hello, Up } from '../generated/browser';

export type Line = 'new' | 'open' | 'lost' | 'shut';

const WAITS_MS = [300, 800, 2000, 4000, 8000, 15000];
const PING_MS = 25_000;
// The door takes so many messages at once and then so many a second of each tab, as its welcome says; a little less is
// meant here. What nobody waits for leaves room for what the player says.
const BURST = 9;
const EACH_MS = 360;
const LESS = 1.08;
const ROOM = 4;
const TRIES_MOST = 3;
const WAIT_MOST_MS = 5000;

// What a request may be answered with; the house may say more than one thing to it.
type Answering = 'shown' | 'legal';

interface Awaited {
    resolve: (down: Down) => void;
    sent: Up;
    kind: Answering | undefined;
}

// Whether this is what was waited for, or why there will be none.
function isAnswer(down: Down, kind: Answering | undefined): boolean {
    return kind === undefined || !!(down[kind] ?? down.refused ?? down.gone ?? down.closing);
}

export class Door {
    readonly line = signal<Line>('new');
    readonly closing = signal('');
    // What the last hello was answered instead of a welcome: a name somebody else has, a code that is used up.
    readonly unwelcome = signal<Down | null>(null);
    private isWelcome = false;
    private isElsewhere = false;
    private socket: WebSocket | null = null;
    private request = 0;
    private tries = 0;
    private stream: string | undefined;
    private last = '0';
    private awaited = new Map<number, Awaited>();
    private burst = BURST;
    private eachMs = EACH_MS;
    private room = BURST;
    private roomAt = 0;
    private once: Hello | null = null;
    private isNew = false;
    // The door gives the cookie of who this page is now to whoever says this.
    private pass: string | undefined;
    // What a command of an open kind is drawn from.
    private readonly luck = String(Math.floor(Math.random() * 2 ** 40));
    private beat: ReturnType<typeof setInterval> | undefined;

    constructor(
        private readonly address: string,
        private readonly heard: (down: Down) => void,
        // What is always said with the address.
        private readonly words: readonly string[] = [],
    ) {}

    // Opens; `first` is said instead of the usual hello: a new player's name, or a code of another device. `isNew`:
    // nobody is known by this browser's cookie, so the house gives another with this connection.
    open(first: Hello | null = null, isNew = false): void {
        this.unwelcome.value = null;
        this.once = first;
        this.isNew = isNew;
        this.tries = 0;
        this.reopen();
    }

    send(up: Up): boolean {
        // Before its welcome a new line takes nothing but a hello.
        if (this.line.value !== 'open' || !this.isWelcome || !this.put(up)) return false;
        this.refill();
        this.room = Math.max(0, this.room - 1);
        return true;
    }

    // A line that is falling takes nothing any more, some time before it says that it has closed.
    private put(up: Up): boolean {
        if (this.socket?.readyState !== WebSocket.OPEN) return false;
        this.socket.send(JSON.stringify(up));
        return true;
    }

    private refill(): void {
        const now = Date.now();
        this.room = Math.min(this.burst, this.room + (now - this.roomAt) / this.eachMs);
        this.roomAt = now;
    }

    // How long what can wait had better wait.
    get waitMs(): number {
        this.refill();
        return Math.max(0, (ROOM - this.room) * this.eachMs);
    }

    // Sends and waits for what comes back with its number; refused at once when there is no connection. Who is told to
    // come again soon does. `kind`: the answer that is waited for; left out: the first.
    async ask(up: Up, kind?: Answering): Promise<Down> {
        for (let n = 1; ; n++) {
            const down = await this.askOnce(up, kind);
            const after = down.refused?.after_ms === undefined ? Infinity : Number(down.refused.after_ms);
            if (n === TRIES_MOST || after > WAIT_MOST_MS) return down;
            await new Promise((resolve) => {
                setTimeout(resolve, after);
            });
        }
    }

    private askOnce(up: Up, kind: Answering | undefined): Promise<Down> {
        const request = ++this.request;
        return new Promise((resolve) => {
            const sent = { ...up, request };
            if (!this.send(sent)) resolve({ request, refused: { sentence: '' } });
            else this.awaited.set(request, { resolve, sent, kind });
        });
    }

    // Forgets where it was in the stream of who this was.
    forget(): void {
        this.stream = undefined;
        this.last = '0';
    }

    private hello(): Hello {
        // A page makes its own bytes for hosted dice, and hears of each act what it has come to.
        const hello: Hello = { ...this.once, own_bytes: true, follow: { luck: this.luck } };
        if (this.once === null && this.stream !== undefined) {
            hello.stream = this.stream;
            hello.last = this.last;
        }
        return hello;
    }

    private reopen(): void {
        this.socket?.close();
        const once = this.pass !== undefined ? [`pass=${this.pass}`] : this.isNew ? ['new'] : [];
        const said = [...this.words, ...once].join('&');
        const socket = new WebSocket(this.address + (said && `?${said}`), 'arbiter.v1+json');
        this.socket = socket;
        this.isWelcome = false;
        socket.onopen = () => {
            this.pass = undefined;
            this.isNew = false; // The cookie is here. It is the name's, should this line fall before its welcome.
            this.put({ request: ++this.request, hello: this.hello() });
        };
        socket.onmessage = (message) => this.take(JSON.parse(String(message.data)) as Down);
        socket.onclose = () => {
            if (this.socket === socket) this.fell();
        };
    }

    private take(down: Down): void {
        if (down.number !== undefined) this.last = down.number;
        if (down.welcome) this.welcomed(down);
        // The lobby answers for a name, the door refuses the rest; before a welcome nothing else is answered.
        else if ((down.refused || down.answer) && !this.isWelcome) this.turnedAway(down);
        if (down.closing) this.closing.value = down.closing.sentence ?? '';
        if (down.closing?.pass) this.pass = down.closing.pass;
        if (down.closing?.elsewhere) this.isElsewhere = true;
        this.heard(down);
        const awaited = down.request === undefined ? undefined : this.awaited.get(down.request);
        if (awaited && down.request !== undefined && isAnswer(down, awaited.kind)) {
            this.awaited.delete(down.request);
            awaited.resolve(down);
        }
    }

    // Then one is here as nobody, who may look around, and may say another name.
    private turnedAway(down: Down): void {
        const isAgain = this.once === null;
        this.once = null;
        this.unwelcome.value = down;
        if (isAgain) this.forget();
        this.put({ request: ++this.request, hello: this.hello() });
    }

    private welcomed(down: Down): void {
        const welcome = down.welcome!;
        this.isWelcome = true;
        this.burst = Math.max(1, (welcome.burst ?? BURST + 1) - 1);
        this.eachMs = welcome.per_10_s ? (10_000 / welcome.per_10_s) * LESS : EACH_MS;
        if (welcome.stream !== this.stream) this.last = welcome.last ?? '0';
        this.stream = welcome.stream;
        this.once = null;
        this.tries = 0;
        this.closing.value = '';
        this.line.value = 'open';
        clearInterval(this.beat);
        this.beat = setInterval(() => this.send({ ping: {} }), PING_MS);
    }

    // Too many tabs are open: this one comes back when somebody looks at it, else they would shut each other out for
    // ever.
    private rest(): void {
        this.isElsewhere = false;
        window.addEventListener('focus', () => this.reopen(), { once: true });
    }

    private fell(): void {
        clearInterval(this.beat);
        this.line.value = 'lost';
        for (const [request, { resolve }] of this.awaited) resolve({ request, refused: { sentence: '' } });
        this.awaited.clear();
        if (this.isElsewhere) return this.rest();
        const wait = WAITS_MS[Math.min(this.tries++, WAITS_MS.length - 1)]!;
        setTimeout(() => this.reopen(), wait * (0.8 + 0.4 * Math.random()));
    }
}

// Storage may be forbidden; then what was chosen lives as long as the tab.
const memory = new Map<string, string>();
export function kept(key: string): string | null {
    try {
        return localStorage.getItem(key) ?? memory.get(key) ?? null;
    } catch {
        return memory.get(key) ?? null;
    }
}
export function keep(key: string, value: string | null): void {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
    try {
        if (value === null) localStorage.removeItem(key);
        else localStorage.setItem(key, value);
    } catch {
        return;
    }
}
