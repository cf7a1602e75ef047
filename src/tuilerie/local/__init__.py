"""Tables without a server: the same rules, match and bots in a browser (docs/anywhere.md).

Only the standard library, no clock, no storage, no network: the worker (`web/src/local/`) passes
the time in, keeps the log in IndexedDB, and announces nothing before it is kept.
"""
