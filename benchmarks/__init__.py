"""Measurements; nothing here is asserted, since clocks differ."""
