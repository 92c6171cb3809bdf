"""The games themselves: pure rules, deals that can be checked, records of play."""
