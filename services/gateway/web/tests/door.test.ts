// door.test.ts: what the one connection takes for the answer to a request.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Down, Up } from '../src/generated/browser';
import { Door } from '../src/net/door';

// A connection that keeps what was sent, and hears what the test says.
class Line {
    static last: Line;
    static readonly OPEN = 1;
    readyState = Line.OPEN;
    sent: Up[] = [];
    onopen: () => void = () => undefined;
    onclose: () => void = () => undefined;
    onmessage: (message: { data: string }) => void = () => undefined;
    constructor() {
        Line.last = this;
    }
    send(text: string): void {
        this.sent.push(JSON.parse(text) as Up);
    }
    close(): void {
        this.onclose();
    }
    hear(down: Down): void {
        this.onmessage({ data: JSON.stringify(down) });
    }
}

const real = { WebSocket: globalThis.WebSocket, setInterval, setTimeout };
beforeEach(() => {
    Object.assign(globalThis, { WebSocket: Line, setInterval: () => 0, setTimeout: () => 0 });
});
afterEach(() => {
    Object.assign(globalThis, real);
});

function opened(): Door {
    const door = new Door('ws://house', () => undefined);
    door.open();
    Line.last.onopen();
    Line.last.hear({ welcome: {} });
    return door;
}
const asked = () => Line.last.sent[Line.last.sent.length - 1]!.request!;

test('who waits for what may be done is not answered with the view that comes before it', async () => {
    const door = opened();
    const answer = door.ask({ look: { legal: true, best: true } }, 'legal');
    const request = asked();
    Line.last.hear({ request, shown: { number: '3' } });
    Line.last.hear({ request, legal: { number: '3', best: { take: { count: 1 } } } });
    assert.deepEqual((await answer).legal?.best, { take: { count: 1 } });
});

test('who waits for a certain answer hears why there is none', async () => {
    const door = opened();
    const refused = door.ask({ look: { legal: true } }, 'legal');
    Line.last.hear({ request: asked(), refused: { sentence: 'Not now.' } });
    assert.equal((await refused).refused?.sentence, 'Not now.');
    const gone = door.ask({ look: { legal: true } }, 'legal');
    Line.last.hear({ request: asked(), gone: { sentence: 'Gone.' } });
    assert.equal((await gone).gone?.sentence, 'Gone.');
    const cut = door.ask({ look: { legal: true } }, 'legal');
    Line.last.hear({ request: asked(), shown: {} });
    Line.last.close();
    assert.ok((await cut).refused);
});

test('a line that is closing takes nothing, and is no line to the page any more once it has closed', async () => {
    const door = opened();
    const before = Line.last.sent.length;
    Line.last.readyState = 2;
    assert.equal(door.send({ ping: {} }), false);
    assert.ok((await door.ask({ look: {} })).refused);
    assert.equal(Line.last.sent.length, before);
});
