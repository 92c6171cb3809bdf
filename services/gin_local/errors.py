"""What can keep the house from standing, told so that the reader knows what to do next."""


class HouseError(Exception):
    """Something outside the code keeps the house from starting, stopping or answering; the text says what
    to do.
    """


class ComposeError(HouseError):
    """The list of processes, or a variable that it needs, is not as it must be."""


class PortTakenError(HouseError):
    """Another program already listens on the port that was asked for."""


class ProgramMissingError(HouseError):
    """A server's program is not installed, or may not be run by the account that must run it."""


class ProcessFailedError(HouseError):
    """A process of the house ended, or did not become ready in time; the text holds the end of its log."""
