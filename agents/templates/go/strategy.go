package main

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"bot/gen/bugsonrugs"
	"bot/gen/ladybugs"
	"bot/gen/luckynumbers"
	"bot/gen/lunarlaserfrogs"
	"bot/gen/partybugs"
)

// How the bot decides: a number for each legal action, and the highest wins. Make the five functions yours.
//
// An observation is all that your seat may know. The .proto file of each game, in the folder proto/, says what its
// numbers mean.

// Strategy chooses the legal action with the highest score; the first of them if there are several.
func Strategy(_ context.Context, turn Turn) (int, error) {
	observation, err := turn.Question.Observation.UnmarshalNew()
	if err != nil {
		return 0, err
	}
	switch seen := observation.(type) {
	case *partybugs.Observation:
		return best(seen, seen.LegalActions, partyBugs), nil
	case *luckynumbers.Observation:
		return best(seen, seen.LegalActions, luckyNumbers), nil
	case *ladybugs.Observation:
		return best(seen, seen.LegalActions, ladyBugs), nil
	case *bugsonrugs.Observation:
		return best(seen, seen.LegalActions, bugsOnRugs), nil
	case *lunarlaserfrogs.Observation:
		return best(seen, seen.LegalActions, lunarLaserFrogs), nil
	}
	return 0, fmt.Errorf("expected an observation that this bot knows, got %s", turn.Question.Observation.TypeUrl)
}

// best is the index of the first action with the highest score.
func best[Observation, Action any](seen Observation, actions []Action, score func(Observation, Action) int) int {
	index, highest := 0, 0
	for i, action := range actions {
		if number := score(seen, action); i == 0 || number > highest {
			index, highest = i, number
		}
	}
	return index
}

// partyBugs: low cards are good, and a second card of a value takes both away.
func partyBugs(seen *partybugs.Observation, action *partybugs.Action) int {
	value := int(action.Value)
	switch action.Kind {
	case partybugs.ActionKind_ACTION_KIND_TAKE:
		if slices.Contains(seen.Displays[seen.Seat].Values, action.Value) {
			return 100 + value
		}
		return -value
	case partybugs.ActionKind_ACTION_KIND_TAKE_AND_PAIR, partybugs.ActionKind_ACTION_KIND_HAUL_AND_PAIR:
		return 200 + value
	case partybugs.ActionKind_ACTION_KIND_MIRROR, partybugs.ActionKind_ACTION_KIND_MIRROR_HIDDEN:
		return value
	case partybugs.ActionKind_ACTION_KIND_PLAY:
		if value == 13 { // the Party King takes everything: play it when that costs the least
			return 12 - sum(seen.Floor)
		}
		return -value
	case partybugs.ActionKind_ACTION_KIND_HIDE:
		return -value
	}
	return 0
}

// luckyNumbers: every space has a number that suits it best: 1 in the upper left corner, 20 in the lower right one.
func luckyNumbers(seen *luckynumbers.Observation, action *luckynumbers.Action) int {
	tile := seen.Drawn
	switch action.Kind {
	case luckynumbers.ActionKind_ACTION_KIND_DRAW:
		return 70
	case luckynumbers.ActionKind_ACTION_KIND_DISCARD:
		return 0
	case luckynumbers.ActionKind_ACTION_KIND_LAY:
		return -misfit(tile, action.Space)
	case luckynumbers.ActionKind_ACTION_KIND_TAKE:
		tile = action.Tile
	}
	there := seen.Gardens[seen.Seat].Tiles[action.Space]
	if there == 0 {
		return 100 - misfit(tile, action.Space)
	}
	return misfit(there, action.Space) - misfit(tile, action.Space) - 60
}

// misfit is how far a tile is from the number that suits a space best, in sixths.
func misfit(tile, space uint32) int {
	return distance(6*(int(tile)-1), 19*int(space/4+space%4))
}

// ladyBugs: flower beds bring points, action tiles are few, and whoever covers an opponent's tile takes its dots away.
func ladyBugs(seen *ladybugs.Observation, action *ladybugs.Action) int {
	dots := int(action.Dots)
	switch action.Kind {
	case ladybugs.ActionKind_ACTION_KIND_PLACE:
		score := dots - 4*bits.OnesCount32(action.Uses&7)
		if seen.Beds[action.Space] > 0 {
			score += 20
		}
		if top := topSeat(seen, action.Space); top != -1 && top != int(seen.Seat) {
			score += 5
		}
		return score
	case ladybugs.ActionKind_ACTION_KIND_BEGIN, ladybugs.ActionKind_ACTION_KIND_MOVE_SPIDER:
		return -dots
	case ladybugs.ActionKind_ACTION_KIND_RESIGN:
		return -100
	}
	return 0
}

// topSeat is whose tile lies uppermost on a space; -1 if none does.
func topSeat(seen *ladybugs.Observation, space uint32) int {
	seat := -1
	for number, at := range seen.Tiles.GetSpaces() {
		if at == space {
			seat = int(seen.Tiles.Seats[number])
		}
	}
	return seat
}

// bugsOnRugs: bugs of a type that is in the hand already are worth more, and given away last.
func bugsOnRugs(seen *bugsonrugs.Observation, action *bugsonrugs.Action) int {
	switch action.Kind {
	case bugsonrugs.ActionKind_ACTION_KIND_TAKE:
		return gain(seen, bugType(action.Bug))
	case bugsonrugs.ActionKind_ACTION_KIND_HATCH, bugsonrugs.ActionKind_ACTION_KIND_SWAP:
		return gain(seen, bugType(seen.Wall[action.Wall]))
	case bugsonrugs.ActionKind_ACTION_KIND_LAY, bugsonrugs.ActionKind_ACTION_KIND_HANG,
		bugsonrugs.ActionKind_ACTION_KIND_PASS, bugsonrugs.ActionKind_ACTION_KIND_OFFER:
		return -gain(seen, bugType(action.Bug))
	case bugsonrugs.ActionKind_ACTION_KIND_COPY:
		return 10 * held(seen, action.Type)
	case bugsonrugs.ActionKind_ACTION_KIND_BREAK:
		return -sum(action.Broken)
	}
	return 0
}

// worth is, by type from 1 on, about what a first bug of that type is worth.
var worth = [...]int{0, 3, 5, 0, 9, 4, 6, 7, 5, 2}

// gain is what one more bug of a type is worth.
func gain(seen *bugsonrugs.Observation, wanted bugsonrugs.BugType) int {
	return 10*held(seen, wanted) + worth[wanted]
}

// bugType is the type of a bug.
func bugType(bug uint32) bugsonrugs.BugType {
	return bugsonrugs.BugType((bug + 6) / 7)
}

// held is how many bugs of a type are in the hand.
func held(seen *bugsonrugs.Observation, wanted bugsonrugs.BugType) int {
	count := 0
	for _, bug := range seen.Hand {
		if bugType(bug) == wanted {
			count++
		}
	}
	return count
}

// lunarLaserFrogs: cards score by the dice that match them, but only the first of a kind does: do not wait for the
// last roll.
func lunarLaserFrogs(seen *lunarlaserfrogs.Observation, action *lunarlaserfrogs.Action) int {
	switch action.Kind {
	case lunarlaserfrogs.ActionKind_ACTION_KIND_WAIT:
		if seen.Window < 2 {
			return 13
		}
	case lunarlaserfrogs.ActionKind_ACTION_KIND_THROW, lunarlaserfrogs.ActionKind_ACTION_KIND_THROW_TWO:
		total := 0
		for _, card := range action.Cards {
			total += promise(seen, card)
		}
		return total
	case lunarlaserfrogs.ActionKind_ACTION_KIND_ROLL:
		return -distance(sum(action.Dice), 2)
	case lunarlaserfrogs.ActionKind_ACTION_KIND_NAME:
		return -slices.Index(seen.Pile.GetSeats(), action.Seat) // whoever threw first
	}
	return 0
}

const (
	blank = 4
	grey  = 5
)

// promise is three times what a card may bring: a die that is still to be rolled matches it in one of three cases.
func promise(seen *lunarlaserfrogs.Observation, card uint32) int {
	toRoll, blanks, matching := 0, 0, 0
	for _, face := range seen.Faces {
		switch {
		case face == 0:
			toRoll++
		case face == 1:
			blanks++
		case card < blank && (face-1)>>(card-1)&1 == 1:
			matching++
		}
	}
	switch {
	case card == grey:
		return 3 * len(seen.Pile.GetSeats())
	case card == blank:
		return 2 * (3*blanks + toRoll)
	case matching == 0 && seen.Window >= 2:
		return 12 // a colour that no die shows is lasered on all of them
	}
	return 3*matching + toRoll
}

func sum(numbers []uint32) int {
	total := 0
	for _, number := range numbers {
		total += int(number)
	}
	return total
}

func distance(one, other int) int {
	return max(one, other) - min(one, other)
}
