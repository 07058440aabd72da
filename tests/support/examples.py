"""How many examples Hypothesis tries where its usual number is too few or too many."""

from hypothesis import settings

USUAL = 100


def examples(count):
    """So many, and as many times more as the profile asks for; `@settings` with a bare number would
    overrule it."""
    return max(1, count * settings().max_examples // USUAL)
