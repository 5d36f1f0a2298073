"""Whatever this program does, killed at random moments."""
