"""Tokens, password hashes and name normalisation."""

from __future__ import annotations

import asyncio
import hashlib
import unicodedata
from secrets import token_urlsafe

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE = 2
"""How many passwords are worked on at the same time: each takes memory and a core."""


def new_token() -> str:
    """128 random bits, as 22 letters that stand in a link as they are."""
    return token_urlsafe(16)


new_id = new_token


def hashed(token: str) -> bytes:
    """What is stored of a token. It is random: nothing more than this is needed to hide it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def name_key(name: str) -> str:
    """What two names have in common that are the same to people; empty if it cannot be shown."""
    plain = unicodedata.normalize("NFKC", name)
    if not all(letter.isprintable() for letter in plain):
        return ""
    return " ".join(unicodedata.normalize("NFKC", plain.casefold()).split())


class Passwords:
    """Argon2id, outside of the event loop, a few at a time."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        # The second recommendation of OWASP: a small machine can afford it, a thief cannot.
        self._hasher = hasher or PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._nobody: str | None = None
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def hash(self, password: str) -> str:
        """What is stored of a password."""
        async with self._turns:
            return await asyncio.to_thread(self._hasher.hash, _bytes(password))

    async def check(self, stored: str | None, password: str) -> tuple[bool, str | None]:
        """Whether a password is the stored one, and a better hash of it if there can be one.

        `None` stands for nobody's password: the work is the same, and the answer is no.
        """
        async with self._turns:
            fits = await asyncio.to_thread(self._fits, stored, password)
        if stored is None or not fits:
            return False, None
        weak = self._hasher.check_needs_rehash(stored)
        return True, await self.hash(password) if weak else None

    def _fits(self, stored: str | None, password: str) -> bool:
        if self._nobody is None:  # whoever is checked first waits for this, known or not
            self._nobody = self._hasher.hash(token_urlsafe(16))
        try:
            return self._hasher.verify(stored or self._nobody, _bytes(password))
        except (VerificationError, InvalidHashError):
            return False


def _bytes(password: str) -> bytes:
    """The same password is the same bytes, on whatever keyboard its accents were typed."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "replace")
