"""Engines that could wake workers, compared under the same load and the same failures."""
