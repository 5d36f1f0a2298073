"""The nouns: frozen models that refuse unknown fields, the error tree and the ports."""
