def many_page(m): return ""
