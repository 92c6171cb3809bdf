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
