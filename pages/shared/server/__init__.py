"""What visitors share: caches, the one fair queue, work beside the pages, and all that leans on Streamlit's inside."""
