"""Tokens, password hashes and name normalisation."""

from __future__ import annotations

import asyncio
import hashlib
import unicodedata
from secrets import token_urlsafe

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tuilerie.names import looks_like

AT_ONCE = 2
"""Maximum number of concurrent password hashes: each takes memory and a core."""


def new_token() -> str:
    """Return 128 random bits as 22 URL-safe characters."""
    return token_urlsafe(16)


new_id = new_token


def hashed(token: str) -> bytes:
    """Hash a token for storage. Tokens are random, so a plain SHA-256 is enough."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def name_key(name: str) -> str:
    """Normalise a name for comparison: names that look alike are equal; empty if it is not
    displayable."""
    if not all(letter.isprintable() for letter in unicodedata.normalize("NFKC", name)):
        return ""
    return " ".join(looks_like(name).split())


KEYS = ("abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "azertyuiop", "01234567890")
WORDS = (
    "password",
    "passwort",
    "motdepasse",
    "letmein",
    "iloveyou",
    "welcome",
    "bonjour",
    "soleil",
)
FIRST_GUESSES = (*KEYS, *(row[::-1] for row in KEYS), *WORDS)

LEAST_LEFT = 4
"""How many characters a password must have beside a first guess."""

LEAST_DIFFERENT = 4
"""How many different characters it must have."""


def is_trivial(password: str, name: str) -> bool:
    """Whether a password is among the first guesses: few different characters, a row of keys, a
    common word or the name, with little beside."""
    plain = looks_like(password)
    if len(set(plain)) < LEAST_DIFFERENT:
        return True
    if any(plain in 2 * row for row in FIRST_GUESSES):
        return True
    return any(
        guess in plain and len(plain.replace(guess, "")) < LEAST_LEFT
        for guess in (*FIRST_GUESSES, name_key(name))
        if guess
    )


class Passwords:
    """Argon2id hashing in threads, a few at a time."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        # OWASP's second recommended parameter set: affordable on a small machine.
        self._hasher = hasher or PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._nobody: str | None = None
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def hash(self, password: str) -> str:
        """Hash a password."""
        async with self._turns:
            return await asyncio.to_thread(self._hasher.hash, _bytes(password))

    async def check(self, stored: str | None, password: str) -> tuple[bool, str | None]:
        """Return whether a password matches the hash, and a new hash if the parameters are old.

        Without a stored hash (an unknown name) it takes the same time and never matches.
        """
        async with self._turns:
            fits = await asyncio.to_thread(self._fits, stored, password)
        if stored is None or not fits:
            return False, None
        weak = self._hasher.check_needs_rehash(stored)
        return True, await self.hash(password) if weak else None

    def _fits(self, stored: str | None, password: str) -> bool:
        if self._nobody is None:  # made at the first check, of a known name or not
            self._nobody = self._hasher.hash(token_urlsafe(16))
        try:
            return self._hasher.verify(stored or self._nobody, _bytes(password))
        except (VerificationError, InvalidHashError):
            return False


def _bytes(password: str) -> bytes:
    """Encode a password, normalised so that all ways to type accents are equal."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "replace")
