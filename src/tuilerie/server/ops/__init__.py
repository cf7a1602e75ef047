"""Operations: commands, limits, metrics, logging, diagnostics."""
