from tuilerie.native._genial import *  # noqa: F403
