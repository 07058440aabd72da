"""The program as a page that needs no installation: Python, NumPy and this package in one HTML
file, or in a folder for a web server.

`python -m web.build -o reconcile.html` builds it; `inside` is what runs in the browser.
"""
