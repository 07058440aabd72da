"""What tests share beside the product: writers and samples of every format, the real matches, and
what a check needs."""
