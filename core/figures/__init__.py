"""view -> Plotly figure, for the stages that draw with Plotly. Only this folder imports plotly, and none of it torch."""
