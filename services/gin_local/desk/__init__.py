"""The referee's desk: commands that judge hands, words and records, and let bots play, without a running house.

They need nothing but the games and the bots, and start in a moment: the `ginhall` command imports them when one of
them is asked for, and none of them imports a server's library.
"""
