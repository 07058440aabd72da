"""One comparison, many outputs: each module here renders the same frozen result, and none computes a figure."""
