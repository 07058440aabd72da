"""The documentation: pages in Markdown, and the generator of those that the program itself knows
best."""
