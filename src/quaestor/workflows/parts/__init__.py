"""The parts that workflows are made of, each with a fold of its own."""
