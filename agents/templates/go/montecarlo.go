package main

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"os"
	"slices"
	"time"

	"google.golang.org/grpc"

	"bot/gen/wire"
)

// A search that knows no game: it plays imagined worlds to their end at random after each legal action, the better half
// of the actions goes on to the next stage, and the last one left is chosen.

const (
	usualPlayouts  = 400 // for a decision: tens of milliseconds, counted so that a match can be repeated
	worldsPerRound = 8   // in which each action is tried, with the same luck for all
)

// Worlds is a connection to the process that imagines.
type Worlds struct {
	connection *grpc.ClientConn
	service    wire.WorldServiceClient
}

// A trial is what came of one action.
type trial struct {
	index         uint32
	playouts      float64
	places, score float64 // sums over the playouts
}

// DialWorlds connects to the socket in ARENA_WORLDS.
func DialWorlds() (*Worlds, error) {
	socket := os.Getenv("ARENA_WORLDS")
	if socket == "" {
		return nil, errors.New("expected a socket in ARENA_WORLDS: say `worlds = true` in bot.toml")
	}
	connection, err := dial(socket)
	if err != nil {
		return nil, err
	}
	return &Worlds{connection, wire.NewWorldServiceClient(connection)}, nil
}

// Close ends the connection.
func (w *Worlds) Close() error {
	return w.connection.Close()
}

// Choose gives the action after which random play ends best.
func (w *Worlds) Choose(ctx context.Context, turn Turn) (int, error) {
	allowance := time.Duration(turn.Match.AllowanceMs) * time.Millisecond
	latest := time.Now().Add(allowance / 4) // where the machine is too slow for all playouts
	seed := turn.Match.Seed + uint64(turn.Question.Decision)<<32

	worlds, err := w.imagine(ctx, turn, 1, seed)
	if err != nil {
		return 0, err
	}
	trials := make([]*trial, actions(worlds[0], turn.Match.Seat))
	for i := range trials {
		trials[i] = &trial{index: uint32(i)}
	}
	stages := bits.Len(uint(len(trials) - 1))
	for range stages {
		for range max(1, usualPlayouts/(stages*len(trials)*worldsPerRound)) {
			seed++
			if err := w.round(ctx, turn, trials, seed, latest); err != nil {
				return 0, err
			}
		}
		slices.SortStableFunc(trials, better)
		trials = trials[:(len(trials)+1)/2]
	}
	_, err = w.service.Release(ctx, &wire.ReleaseRequest{}) // all worlds
	return int(trials[0].index), err
}

// round tries every action in the same new worlds; it stops when it is late.
func (w *Worlds) round(ctx context.Context, turn Turn, trials []*trial, seed uint64, latest time.Time) error {
	worlds, err := w.imagine(ctx, turn, worldsPerRound, seed)
	if err != nil {
		return err
	}
	handles := make([]uint64, len(worlds))
	for i, world := range worlds {
		handles[i] = world.Handle
	}
	for _, tried := range trials {
		if time.Now().After(latest) {
			break
		}
		action := []*wire.SeatAction{{Seat: turn.Match.Seat, ActionIndex: tried.index}}
		end, err := w.service.Playout(ctx, &wire.PlayoutRequest{Handles: handles, Actions: action, Seed: seed})
		if err != nil {
			return err
		}
		tried.add(end, turn.Match.Seat)
	}
	return nil
}

// imagine samples worlds that agree with what the seat sees.
func (w *Worlds) imagine(ctx context.Context, turn Turn, count uint32, seed uint64) ([]*wire.World, error) {
	request := &wire.SampleRequest{Observation: turn.Question.Observation, Worlds: count, Seed: seed}
	response, err := w.service.Sample(ctx, request)
	return response.GetWorlds(), err
}

// actions is how many legal actions a seat has.
func actions(world *wire.World, seat uint32) uint32 {
	return world.LegalActions[slices.Index(world.ToAct, seat)]
}

func (t *trial) add(end *wire.PlayoutResponse, seat uint32) {
	count := float64(end.Playouts)
	t.playouts += count
	t.places += end.Places[seat] * count
	t.score += end.Scores[seat] * count
}

// better puts the lower average place first, and of equals the higher score; what was not tried comes last.
func better(one, other *trial) int {
	if one.playouts == 0 || other.playouts == 0 {
		return cmp.Compare(other.playouts, one.playouts)
	}
	return cmp.Or(
		cmp.Compare(one.places/one.playouts, other.places/other.playouts),
		cmp.Compare(other.score/other.playouts, one.score/one.playouts))
}
