"""The operator's web page: what it shows, what may be asked of it, and the files that it is made of (``web/``)."""
