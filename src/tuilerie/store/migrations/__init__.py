"""Steps that bring a database of any age to the schema of today. They run by themselves.

`versions/` holds one file a step, each with the step before it; Alembic knows the order. A step
that was published is never changed.
"""
