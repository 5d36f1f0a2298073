"""Pure rules of the plan: what may start, what is blocked, how it grows, when it stops."""
