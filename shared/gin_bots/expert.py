"""placeholder, replaced below"""

from gin_bots.planner import Planner


class Expert(Planner):
    name = "expert"
    title = "Expert"
    description = "Later."
