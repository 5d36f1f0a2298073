"""Models: providers, local files and rules that fulfil contracts."""
