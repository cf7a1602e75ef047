"""permessage-deflate: long texts are compressed, without context, as any client can read them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from tuilerie.server.ws.uvicorn_protocol import DEFLATE_FROM, frames


def read_all(data: bytes) -> list[bytes]:
    """What a client of the websockets library reads."""
    extension = PerMessageDeflate(True, True, 12, 15)
    reader = StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    texts = []
    while reader.buffer:
        steps = Frame.parse(reader.read_exact, mask=False, extensions=[extension])
        try:
            while True:
                next(steps)
        except StopIteration as done:
            frame = done.value
            texts.append(bytes(frame.data) if frame.opcode is Opcode.TEXT else b"no text")
    return texts


@given(st.lists(st.text(max_size=400).map(lambda text: (text * 9).encode()), max_size=4))
def test_clients_read_compressed_texts(texts: list[bytes]) -> None:
    assert read_all(frames(texts, deflate=True)) == texts


def test_only_long_texts_are_compressed_and_only_where_agreed() -> None:
    short, long = b"x" * (DEFLATE_FROM - 1), b"x" * DEFLATE_FROM
    assert frames([short], deflate=True) == frames([short])
    assert len(frames([long], deflate=True)) < 50
    assert len(frames([long])) == DEFLATE_FROM + 4
