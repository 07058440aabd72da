"""One comparison, many outputs: each module renders the same frozen result, and none computes a
figure."""
