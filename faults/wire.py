"""`Wire`: a stretch of network between two processes, which can be cut or go silent.

What is sent while it is silent is kept and arrives when it speaks again, as packets that are sent once more do; whoever
waits cannot tell it from a machine that is gone. Cut, connections end and new ones are refused. It needs no rights on
the machine: nothing in the kernel is changed.
"""

import asyncio
import threading


class Wires:
    """All wires of a test, on one loop of its own."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    def lay(self, to):
        """A wire to `(host, port)`, or to the path of a Unix socket."""
        wire = Wire(self, to)
        self.run(wire.open())
        return wire

    def close(self):
        async def end():
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        self.run(end())
        self.loop.call_soon_threadsafe(self.loop.stop)


class Wire:
    def __init__(self, wires, to):
        self.wires, self.to = wires, to
        self.port = 0
        self.server = None
        self.passes = None
        self.pairs = set()
        self.is_cut = False

    async def open(self):
        if self.passes is None:
            self.passes = asyncio.Event()
            self.passes.set()
        self.is_cut = False
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", self.port, limit=2**20)
        self.port = self.server.sockets[0].getsockname()[1]

    def silence(self):
        self.wires.loop.call_soon_threadsafe(self.passes.clear)

    def speak(self):
        self.wires.loop.call_soon_threadsafe(self.passes.set)

    def cut(self):
        async def cut():
            self.is_cut = True
            self.server.close()
            for writer in list(self.pairs):
                writer.transport.abort()

        self.wires.run(cut())

    def mend(self):
        self.wires.run(self.open())

    async def serve(self, reader, writer):
        await self.passes.wait()
        try:
            if isinstance(self.to, str):
                far_reader, far_writer = await asyncio.open_unix_connection(self.to, limit=2**20)
            else:
                far_reader, far_writer = await asyncio.open_connection(*self.to, limit=2**20)
        except OSError:
            writer.transport.abort()
            await self.refuse()
            return
        self.pairs |= {writer, far_writer}
        try:
            await asyncio.gather(self.pass_on(reader, far_writer), self.pass_on(far_reader, writer))
        finally:
            self.pairs -= {writer, far_writer}
            writer.close()
            far_writer.close()

    async def refuse(self):
        """Nobody is there: whoever comes is refused as they would be there, until somebody is. To be taken in and
        dropped is another fault, which balancers notice later."""
        if isinstance(self.to, str) or not self.server.is_serving():
            return
        self.server.close()
        refusing = self.server
        while self.server is refusing:
            await asyncio.sleep(0.02)
            try:
                _, far = await asyncio.open_connection(*self.to)
            except OSError:
                continue
            far.close()
            # Unless it was mended meanwhile.
            if self.server is refusing and not self.is_cut:
                await self.open()

    async def pass_on(self, reader, writer):
        try:
            while data := await reader.read(2**16):
                await self.passes.wait()
                writer.write(data)
                await writer.drain()
            await self.passes.wait()
            if writer.can_write_eof():
                writer.write_eof()
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()
