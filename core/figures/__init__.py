"""view -> Plotly figure, for the stages that draw with Plotly. Only this folder imports plotly, none of it torch."""
