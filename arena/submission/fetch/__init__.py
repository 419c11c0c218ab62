"""Ways to bring the packages that a bot's lock file names, over the network and running no code of anybody's."""

from typing import Final

from arena.submission.fetch import cargo, go, maven, npm, pip
from arena.submission.fetch.model import Fetcher

FETCHERS: Final[dict[str, Fetcher]] = {
    "cargo": cargo.FETCHER,
    "go": go.FETCHER,
    "maven": maven.FETCHER,
    "npm": npm.FETCHER,
    "pip": pip.FETCHER,
}
