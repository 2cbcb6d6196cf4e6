"""The address and one visit: what a link holds, what a click makes of it, and what the session keeps."""
