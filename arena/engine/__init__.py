"""What every game is made of: the contract, its options, and its luck."""
