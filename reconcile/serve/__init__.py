"""The local page: results of the commands in a browser on the same computer, without figures or
rules of its own."""
