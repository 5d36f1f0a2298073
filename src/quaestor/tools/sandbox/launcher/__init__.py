"""A program of its own, which confines one command and watches over it until nothing of it lives any more.

It is started as a folder outside the package, by a bare interpreter: it imports little, and only from beside itself.
"""
