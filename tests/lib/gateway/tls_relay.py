"""tls_relay.py: takes bytes at a port of this machine, and brings them to a door by TLS: for programs that know of no TLS."""
import asyncio
import contextlib
import ssl
import threading


def blind():
    """Whoever answers is believed."""
    trusts = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusts.check_hostname, trusts.verify_mode = False, ssl.CERT_NONE
    return trusts


class Relay:
    """At `port`. `to`: the door's host and port; `source`: from which address."""

    def __init__(self, to, trusts=None, name=None, source=None):
        self.to, self.loop = to, asyncio.new_event_loop()
        self.how = {"ssl": trusts or blind(), "server_hostname": name or to[0], "local_addr": (source, 0) if source else None}
        self.server = self.loop.run_until_complete(asyncio.start_server(self.bring, "127.0.0.1", 0, backlog=512))
        self.port = self.server.sockets[0].getsockname()[1]
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    async def bring(self, reader, writer):
        with contextlib.suppress(OSError):
            to_reader, to_writer = await asyncio.open_connection(*self.to, **self.how)
            there = asyncio.create_task(self.pour(reader, to_writer))
            await self.pour(to_reader, writer)
            there.cancel()
            to_writer.close()
        writer.close()

    async def pour(self, reader, writer):
        with contextlib.suppress(OSError):
            while part := await reader.read(65536):
                writer.write(part)
                await writer.drain()
        if writer.can_write_eof():
            with contextlib.suppress(OSError):
                writer.write_eof()
        else:  # TLS knows no half: who hangs up has hung up.
            writer.close()

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.server.close()
        left = asyncio.all_tasks(self.loop)
        for task in left:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
