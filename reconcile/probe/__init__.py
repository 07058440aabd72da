"""Which rules a program follows: synthetic matches in which every answer gives other figures, and the answers read back."""
