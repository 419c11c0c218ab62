"""The referee: owns the true states, asks agents over gRPC, keeps the clocks, and always comes to a result."""
