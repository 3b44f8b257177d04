// websocket.cjs: the browser's WebSocket for a Node that has none of its own, as far as a bot needs it.
const crypto = require('node:crypto');
const net = require('node:net');

class Socket {
    constructor(address, protocol) {
        const { hostname, port, host, pathname } = new URL(address);
        this.kept = Buffer.alloc(0);
        this.isOpen = false;
        this.plain = net.connect(Number(port), hostname, () => this.plain.write(
            `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n`
            + `Sec-WebSocket-Key: ${crypto.randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n`
            + `Sec-WebSocket-Protocol: ${protocol}\r\n\r\n`));
        this.plain.on('data', (piece) => {
            this.kept = Buffer.concat([this.kept, piece]);
            while (this.take());
        });
        this.plain.on('error', () => {}); // As in a browser: a line that breaks is closed, and ends nobody's program.
        this.plain.on('close', () => this.onclose?.({}));
    }

    frame(opcode, body) {
        const head = body.length < 126 ? Buffer.from([opcode, 0x80 | body.length]) : Buffer.from([opcode, 0xfe, body.length >> 8, body.length & 255]);
        this.plain.write(Buffer.concat([head, Buffer.alloc(4), body]));
    }

    send(text) {
        this.frame(0x81, Buffer.from(text));
    }

    close() {
        this.plain.end();
    }

    take() {
        if (!this.isOpen) {
            const end = this.kept.indexOf('\r\n\r\n');
            if (end < 0) return false;
            this.kept = this.kept.subarray(end + 4);
            this.isOpen = true;
            this.onopen?.({});
            return true;
        }
        if (this.kept.length < 2) return false;
        const short = this.kept[1] & 127;
        const head = short === 126 ? 4 : short === 127 ? 10 : 2;
        if (this.kept.length < head) return false;
        const size = short === 126 ? this.kept.readUInt16BE(2) : short === 127 ? Number(this.kept.readBigUInt64BE(2)) : short;
        if (this.kept.length < head + size) return false;
        const opcode = this.kept[0] & 15;
        const body = this.kept.subarray(head, head + size);
        this.kept = this.kept.subarray(head + size);
        if (opcode === 9) this.frame(0x8a, body);
        if (opcode === 1) this.onmessage?.({ data: body.toString() });
        if (opcode === 8) this.plain.end();
        return true;
    }
}

globalThis.WebSocket ??= Socket;
