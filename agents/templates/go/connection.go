package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"bot/gen/wire"
)

// The conversation with the referee: it says hello, then answers every frame with one message. Nothing to edit here.

const (
	client       = "arena-template-go/0.1.0"
	maxFrameSize = 64 << 20
)

// A Turn is one question of the referee, and the match in which it is asked.
type Turn struct {
	Match    *wire.MatchStarted
	Question *wire.DecisionRequested
}

// Choose gives the index of the chosen action in the observation's legal_actions.
type Choose func(context.Context, Turn) (int, error)

// Play plays all matches that the referee has for this process, then returns.
func Play(ctx context.Context, choose Choose) error {
	socket, token := os.Getenv("ARENA_SOCKET"), os.Getenv("ARENA_TOKEN")
	if socket == "" || token == "" {
		return errors.New("this is a bot: start it with `arena match --game GAME --bots FOLDER,random`")
	}
	connection, err := dial(socket)
	if err != nil {
		return err
	}
	defer connection.Close()
	stream, err := wire.NewRefereeServiceClient(connection).Play(ctx)
	if err != nil {
		return err
	}
	hello := &wire.Hello{Token: token, Client: client}
	if err := stream.Send(&wire.PlayRequest{Message: &wire.PlayRequest_Hello{Hello: hello}}); err != nil {
		return ended(stream, err)
	}
	return converse(ctx, stream, choose)
}

// dial connects to a server on a unix socket.
func dial(socket string) (*grpc.ClientConn, error) {
	return grpc.NewClient("unix:"+socket,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithAuthority("localhost"),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxFrameSize)))
}

// converse answers frames until the stream ends.
func converse(ctx context.Context, stream wire.RefereeService_PlayClient, choose Choose) error {
	matches := map[string]*wire.MatchStarted{}
	for {
		frame, err := stream.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		decisions, err := answers(ctx, matches, frame, choose)
		if err != nil {
			return err
		}
		if len(decisions) == 0 {
			continue
		}
		message := &wire.PlayRequest_Decisions{Decisions: &wire.Decisions{Decisions: decisions}}
		if err := stream.Send(&wire.PlayRequest{Message: message}); err != nil {
			return ended(stream, err)
		}
	}
}

// ended tells why a stream that cannot be written to has ended.
func ended(stream wire.RefereeService_PlayClient, err error) error {
	for err == io.EOF {
		if _, reason := stream.Recv(); reason != nil {
			return reason
		}
	}
	return err
}

// answers are those to all questions of a frame.
func answers(
	ctx context.Context, matches map[string]*wire.MatchStarted, frame *wire.PlayResponse, choose Choose,
) ([]*wire.Decision, error) {
	var decisions []*wire.Decision
	for _, message := range frame.Messages {
		switch message := message.Message.(type) {
		case *wire.Message_MatchStarted:
			matches[message.MatchStarted.MatchId] = message.MatchStarted
		case *wire.Message_MatchEnded:
			delete(matches, message.MatchEnded.MatchId)
		case *wire.Message_DecisionRequested:
			asked := message.DecisionRequested
			index, err := choose(ctx, Turn{Match: matches[asked.MatchId], Question: asked})
			if err != nil {
				return nil, fmt.Errorf("match %s, decision %d: %w", asked.MatchId, asked.Decision, err)
			}
			decisions = append(decisions, &wire.Decision{
				MatchId: asked.MatchId, Decision: asked.Decision, ActionIndex: uint32(index),
			})
		}
	}
	return decisions, nil
}
