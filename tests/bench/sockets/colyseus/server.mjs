// server.mjs: a Colyseus room that broadcasts: `node server.mjs COUNT`, a door on any free port of loopback.
//
// Says its port and, a line each, the paths of COUNT seats that are kept for spectators. A line on standard input, N, then
// broadcasts events 1 to N, one in each turn of node's loop, and "sent" is said when the last one is on its way.
import { createInterface } from 'node:readline';
import { createServer } from 'node:http';
import { matchMaker, Room, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';

const count = Number(process.argv[2]);
let room;

class Nim extends Room {
    maxClients = count;
    patchRate = null; // There is no state to look for changes in.
    onCreate() {
        room = this;
        this.setSeatReservationTime(600);
    }
}

const http = createServer();
const server = new Server({ transport: new WebSocketTransport({ server: http, pingInterval: 0 }), greet: false });
server.define('nim', Nim);
await server.listen(0, '127.0.0.1');
const lines = [`port ${http.address().port}`];
for (let i = 0; i < count; i++) {
    const { room: { processId, roomId }, sessionId } = await matchMaker.joinOrCreate('nim', {});
    lines.push(`/${processId}/${roomId}?sessionId=${sessionId}`);
}
process.stdout.write(lines.join('\n') + '\n');

// What one act of nim tells its spectators.
function broadcast(n, last) {
    room.broadcast('act', { n, actor: n % 2, taken: { seat: n % 2, heap: Math.floor(n / 1000), count: 1, left: 1000 - n % 1000 },
        turn: { seat: 1 - n % 2 } });
    if (n < last) setImmediate(broadcast, n + 1, last);
    else process.stdout.write('sent\n');
}

for await (const line of createInterface({ input: process.stdin })) broadcast(1, Number(line));
process.exit(0);
