/**
 * How the bot decides: a number for each legal action, and the highest wins. Make these five functions yours.
 *
 * An observation is all that your seat may know. The .proto file of each game, in the folder proto/, says what its
 * numbers mean.
 */

import type { Any } from "./gen/google/protobuf/any.js";
import * as bugs from "./gen/arena/games/bugs_on_rugs/v1/bugs_on_rugs.js";
import * as lady from "./gen/arena/games/ladybugs/v1/ladybugs.js";
import * as lucky from "./gen/arena/games/lucky_numbers/v1/lucky_numbers.js";
import * as frogs from "./gen/arena/games/lunar_laser_frogs/v1/lunar_laser_frogs.js";
import * as party from "./gen/arena/games/party_bugs/v1/party_bugs.js";

/** Low cards are good, and a second card of a value takes both away. */
function partyBugs(seen: party.Observation, action: party.Action): number {
  const display = seen.displays[seen.seat].values;
  switch (action.kind) {
    case party.ActionKind.TAKE:
      return display.includes(action.value) ? 100 + action.value : -action.value;
    case party.ActionKind.TAKE_AND_PAIR:
    case party.ActionKind.HAUL_AND_PAIR:
      return 200 + action.value;
    case party.ActionKind.MIRROR:
    case party.ActionKind.MIRROR_HIDDEN:
      return action.value;
    case party.ActionKind.PLAY:
      // The Party King takes everything: play it when that costs the least.
      return action.value === 13 ? 12 - sum(seen.floor) : -action.value;
    case party.ActionKind.HIDE:
      return -action.value;
    default:
      return 0;
  }
}

/** Every space has a number that suits it best: 1 in the upper left corner, 20 in the lower right one. */
function luckyNumbers(seen: lucky.Observation, action: lucky.Action): number {
  switch (action.kind) {
    case lucky.ActionKind.DRAW:
      return 70;
    case lucky.ActionKind.DISCARD:
      return 0;
    case lucky.ActionKind.LAY:
      return -misfit(seen.drawn, action.space);
  }
  const taken = action.kind === lucky.ActionKind.TAKE;
  const tile = taken ? action.tile : seen.drawn;
  const there = seen.gardens[seen.seat].tiles[action.space];
  if (there === 0) {
    return 100 - misfit(tile, action.space);
  }
  return misfit(there, action.space) - misfit(tile, action.space) - 60;
}

/** How far a tile is from the number that suits a space best, in sixths. */
function misfit(tile: number, space: number): number {
  return Math.abs(6 * (tile - 1) - 19 * (Math.floor(space / 4) + (space % 4)));
}

/** Flower beds bring points, action tiles are few, and whoever covers an opponent's tile takes its dots away. */
function ladybugs(seen: lady.Observation, action: lady.Action): number {
  switch (action.kind) {
    case lady.ActionKind.PLACE: {
      const bed = seen.beds[action.space] > 0 ? 20 : 0;
      const covers = [-1, seen.seat].includes(topSeat(seen, action.space)) ? 0 : 5;
      return bed + covers + action.dots - 4 * bitCount(action.uses & 7);
    }
    case lady.ActionKind.BEGIN:
    case lady.ActionKind.MOVE_SPIDER:
      return -action.dots;
    case lady.ActionKind.RESIGN:
      return -100;
    default:
      return 0;
  }
}

/** Whose tile lies uppermost on a space; -1 if none does. */
function topSeat(seen: lady.Observation, space: number): number {
  const number = seen.tiles?.spaces.lastIndexOf(space) ?? -1;
  return seen.tiles?.seats[number] ?? -1;
}

function bitCount(bits: number): number {
  return bits === 0 ? 0 : (bits & 1) + bitCount(bits >>> 1);
}

/** Bugs of a type that is in the hand already are worth more, and given away last. */
function bugsOnRugs(seen: bugs.Observation, action: bugs.Action): number {
  switch (action.kind) {
    case bugs.ActionKind.TAKE:
      return value(seen, bugType(action.bug));
    case bugs.ActionKind.HATCH:
    case bugs.ActionKind.SWAP:
      return value(seen, bugType(seen.wall[action.wall]));
    case bugs.ActionKind.LAY:
    case bugs.ActionKind.HANG:
    case bugs.ActionKind.PASS:
    case bugs.ActionKind.OFFER:
      return -value(seen, bugType(action.bug));
    case bugs.ActionKind.COPY:
      return 10 * held(seen, action.type);
    case bugs.ActionKind.BREAK:
      return -sum(action.broken);
    default:
      return 0;
  }
}

/** What one more bug of a type is worth. */
function value(seen: bugs.Observation, type: bugs.BugType): number {
  return 10 * held(seen, type) + WORTH[type];
}

/** By type, from 1 on: about what a first bug of that type is worth. */
const WORTH = [0, 3, 5, 0, 9, 4, 6, 7, 5, 2];

/** How many bugs of a type are in the hand. */
function held(seen: bugs.Observation, type: bugs.BugType): number {
  return seen.hand.filter((bug) => bugType(bug) === type).length;
}

function bugType(bug: number): bugs.BugType {
  return Math.floor((bug - 1) / 7) + 1;
}

/** Cards score by the dice that match them, but only the first of a kind does: do not wait for the last roll. */
function lunarLaserFrogs(seen: frogs.Observation, action: frogs.Action): number {
  switch (action.kind) {
    case frogs.ActionKind.WAIT:
      return seen.window < 2 ? 13 : 0;
    case frogs.ActionKind.THROW:
    case frogs.ActionKind.THROW_TWO:
      return sum(action.cards.map((card) => promise(seen, card)));
    case frogs.ActionKind.ROLL:
      return -Math.abs(sum(action.dice) - 2);
    case frogs.ActionKind.NAME:
      return -(seen.pile?.seats.indexOf(action.seat) ?? 0); // whoever threw first
    default:
      return 0;
  }
}

const BLANK = 4;
const GREY = 5;

/** Three times what a card may bring: a die that is still to be rolled matches it in one of three cases. */
function promise(seen: frogs.Observation, card: number): number {
  const colours = seen.faces.filter((face) => face > 0).map((face) => face - 1);
  const toRoll = seen.faces.length - colours.length;
  if (card === GREY) {
    return 3 * (seen.pile?.seats.length ?? 0);
  }
  if (card === BLANK) {
    return 2 * (3 * colours.filter((colour) => colour === 0).length + toRoll);
  }
  const matching = sum(colours.map((colour) => (colour >> (card - 1)) & 1));
  if (matching === 0 && seen.window >= 2) {
    return 12; // a colour that no die shows is lasered on all of them
  }
  return 3 * matching + toRoll;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** By the type of the observation, which says the game: how its bytes become the index of an action. */
const GAMES: Record<string, (bytes: Uint8Array) => number> = {
  "arena.games.bugs_on_rugs.v1.Observation": best(bugs.Observation, bugsOnRugs),
  "arena.games.ladybugs.v1.Observation": best(lady.Observation, ladybugs),
  "arena.games.lucky_numbers.v1.Observation": best(lucky.Observation, luckyNumbers),
  "arena.games.lunar_laser_frogs.v1.Observation": best(frogs.Observation, lunarLaserFrogs),
  "arena.games.party_bugs.v1.Observation": best(party.Observation, partyBugs),
};

/** The index of the legal action with the highest score; the first of them if there are several. */
export function choose(observation: Any): number {
  const type = observation.typeUrl.slice(observation.typeUrl.lastIndexOf("/") + 1);
  const game = GAMES[type];
  if (game === undefined) {
    throw new Error(`expected an observation of a known game, got ${type}`);
  }
  return game(observation.value);
}

function best<Action, Seen extends { legalActions: Action[] }>(
  type: { decode(bytes: Uint8Array): Seen },
  score: (seen: Seen, action: Action) => number,
): (bytes: Uint8Array) => number {
  return (bytes) => {
    const seen = type.decode(bytes);
    const scores = seen.legalActions.map((action) => score(seen, action));
    return scores.indexOf(Math.max(...scores));
  };
}
