"""Results as Markdown: for the summary of a CI step, or a pull request."""
