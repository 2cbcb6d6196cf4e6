"""The pictures: components in the browser, Plotly's charts, and how much of their numbers is sent."""
