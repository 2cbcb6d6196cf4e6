"""What each stage shows, as frozen dataclasses of NumPy arrays: one file a stage, no page and no torch tensor in it."""
