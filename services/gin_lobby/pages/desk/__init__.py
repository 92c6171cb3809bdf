"""The organiser's desk: forms for all that an organiser decides."""
