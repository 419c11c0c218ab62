// A bot for the arena: strategy.go decides, connection.go talks to the referee, montecarlo.go can search.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
)

func main() {
	search := flag.Bool("search", false, "decide by playing imagined worlds to their end (needs worlds = true in bot.toml)")
	flag.Parse()
	if err := run(context.Background(), *search); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, search bool) error {
	if !search {
		return Play(ctx, Strategy)
	}
	worlds, err := DialWorlds()
	if err != nil {
		return err
	}
	defer worlds.Close()
	return Play(ctx, worlds.Choose)
}
