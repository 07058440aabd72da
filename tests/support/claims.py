"""A claim that many tests make: a loop goes round at least once."""


def some(values):
    """The things in their order; fails where there are none."""
    listed = list(values)
    assert listed, "expected something to look at, found nothing"
    return listed
