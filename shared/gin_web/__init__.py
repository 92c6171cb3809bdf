"""What every service's pages share: base template and style sheet."""
