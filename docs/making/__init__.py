"""What the generated pages are made of: one module per kind of page, each a function from the
program's own data to Markdown."""
