"""SoPra of the Dead once more, in Python: rules, set-up, messages and a plain door.

It was written from the texts of the rules and of the protocol. It is an example for those who write a server.
"""
