"""Party Bugs: play low to choose first, collect little, get rid of pairs."""
