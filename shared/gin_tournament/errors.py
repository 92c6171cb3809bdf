"""Domain exceptions of the tournament mathematics."""


class TournamentError(ValueError):
    """Base of every error that this package raises for input that cannot be right."""


class InvalidEntrantsError(TournamentError):
    """Two entrants share an id or a seed, or somebody is named who never entered."""


class InvalidHistoryError(TournamentError):
    """A round names an unknown entrant, names one twice, or is out of order."""


class InvalidRequestError(TournamentError):
    """The organiser's wishes for a round contradict one another."""


class UnknownTieBreakError(TournamentError):
    """A tie-break was asked for by a name that does not exist."""


class InvalidFormatError(TournamentError):
    """A setting of a format has a value that it cannot have. `field` names it, dotted where it is nested."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}" if field else problem)
        self.field = field
        self.problem = problem


class InvalidDocumentError(TournamentError):
    """A tournament that somebody wrote down cannot be read. `place` says where it is wrong, `problem` how."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem
