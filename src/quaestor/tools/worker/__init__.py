"""Processes of this program that do what must not take it with them when it fails: read documents, ask databases.

A request is one or more frames on the standard input of a worker, its response one frame on its standard output.
"""
