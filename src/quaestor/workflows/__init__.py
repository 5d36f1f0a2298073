"""Workflows: state tables and pure routing. They know no effect."""
