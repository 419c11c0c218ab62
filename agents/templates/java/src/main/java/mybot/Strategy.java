package mybot;

import arena.games.bugs_on_rugs.v1.BugsOnRugs;
import arena.games.ladybugs.v1.Ladybugs;
import arena.games.lucky_numbers.v1.LuckyNumbers;
import arena.games.lunar_laser_frogs.v1.LunarLaserFrogs;
import arena.games.party_bugs.v1.PartyBugs;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * How the bot decides: a number for each legal action, and the highest wins. Make these five
 * functions yours.
 *
 * <p>An observation is all that your seat may know. The .proto file of each game, in the folder
 * proto/, says what its numbers mean.
 */
final class Strategy {
  private Strategy() {}

  /** Low cards are good, and a second card of a value takes both away. */
  private static int partyBugs(PartyBugs.Observation seen, PartyBugs.Action action) {
    int value = action.getValue();
    return switch (action.getKind()) {
      case ACTION_KIND_TAKE -> {
        List<Integer> display = seen.getDisplays(seen.getSeat()).getValuesList();
        yield display.contains(value) ? 100 + value : -value;
      }
      case ACTION_KIND_TAKE_AND_PAIR, ACTION_KIND_HAUL_AND_PAIR -> 200 + value;
      case ACTION_KIND_MIRROR, ACTION_KIND_MIRROR_HIDDEN -> value;
      // The Party King takes everything: play it when that costs the least.
      case ACTION_KIND_PLAY -> value == 13 ? 12 - sum(seen.getFloorList()) : -value;
      case ACTION_KIND_HIDE -> -value;
      default -> 0;
    };
  }

  /**
   * Every space has a number that suits it best: 1 in the upper left corner, 20 in the lower right
   * one.
   */
  private static int luckyNumbers(LuckyNumbers.Observation seen, LuckyNumbers.Action action) {
    int space = action.getSpace();
    return switch (action.getKind()) {
      case ACTION_KIND_DRAW -> 70;
      case ACTION_KIND_DISCARD -> 0;
      case ACTION_KIND_LAY -> -misfit(seen.getDrawn(), space);
      case ACTION_KIND_TAKE -> gain(seen, action.getTile(), space);
      default -> gain(seen, seen.getDrawn(), space);
    };
  }

  /** What it brings to put a tile on a space, perhaps in exchange for the one there. */
  private static int gain(LuckyNumbers.Observation seen, int tile, int space) {
    int there = seen.getGardens(seen.getSeat()).getTiles(space);
    if (there == 0) {
      return 100 - misfit(tile, space);
    }
    return misfit(there, space) - misfit(tile, space) - 60;
  }

  /** How far a tile is from the number that suits a space best, in sixths. */
  private static int misfit(int tile, int space) {
    return Math.abs(6 * (tile - 1) - 19 * (space / 4 + space % 4));
  }

  /**
   * Flower beds bring points, action tiles are few, and whoever covers an opponent's tile takes its
   * dots away.
   */
  private static int ladybugs(Ladybugs.Observation seen, Ladybugs.Action action) {
    return switch (action.getKind()) {
      case ACTION_KIND_PLACE -> {
        int bed = seen.getBeds(action.getSpace()) > 0 ? 20 : 0;
        int top = topSeat(seen, action.getSpace());
        int covers = top != -1 && top != seen.getSeat() ? 5 : 0;
        yield bed + covers + action.getDots() - 4 * Integer.bitCount(action.getUses() & 7);
      }
      case ACTION_KIND_BEGIN, ACTION_KIND_MOVE_SPIDER -> -action.getDots();
      case ACTION_KIND_RESIGN -> -100;
      default -> 0;
    };
  }

  /** Whose tile lies uppermost on a space; -1 if none does. */
  private static int topSeat(Ladybugs.Observation seen, int space) {
    int number = seen.getTiles().getSpacesList().lastIndexOf(space);
    return number < 0 ? -1 : seen.getTiles().getSeats(number);
  }

  /** Bugs of a type that is in the hand already are worth more, and given away last. */
  private static int bugsOnRugs(BugsOnRugs.Observation seen, BugsOnRugs.Action action) {
    return switch (action.getKind()) {
      case ACTION_KIND_TAKE -> worth(seen, action.getBug());
      case ACTION_KIND_HATCH, ACTION_KIND_SWAP -> worth(seen, seen.getWall(action.getWall()));
      case ACTION_KIND_LAY, ACTION_KIND_HANG, ACTION_KIND_PASS, ACTION_KIND_OFFER ->
          -worth(seen, action.getBug());
      case ACTION_KIND_COPY -> 10 * held(seen, action.getTypeValue());
      case ACTION_KIND_BREAK -> -sum(action.getBrokenList());
      default -> 0;
    };
  }

  /** What one more bug is worth to the hand. */
  private static int worth(BugsOnRugs.Observation seen, int bug) {
    return 10 * held(seen, bugType(bug)) + WORTH[bugType(bug)];
  }

  /** By type, from 1 on: about what a first bug of that type is worth. */
  private static final int[] WORTH = {0, 3, 5, 0, 9, 4, 6, 7, 5, 2};

  /** How many bugs of a type are in the hand. */
  private static int held(BugsOnRugs.Observation seen, int type) {
    int count = 0;
    for (int bug : seen.getHandList()) {
      count += bugType(bug) == type ? 1 : 0;
    }
    return count;
  }

  /** The type of a bug, as in BugType. */
  private static int bugType(int bug) {
    return (bug - 1) / 7 + 1;
  }

  /**
   * Cards score by the dice that match them, but only the first of a kind does: do not wait for the
   * last roll.
   */
  private static int lunarLaserFrogs(
      LunarLaserFrogs.Observation seen, LunarLaserFrogs.Action action) {
    return switch (action.getKind()) {
      case ACTION_KIND_WAIT -> seen.getWindow() < 2 ? 13 : 0;
      case ACTION_KIND_THROW, ACTION_KIND_THROW_TWO -> {
        int promised = 0;
        for (int card : action.getCardsList()) {
          promised += promise(seen, card);
        }
        yield promised;
      }
      case ACTION_KIND_ROLL -> -Math.abs(sum(action.getDiceList()) - 2);
      // Whoever threw first.
      case ACTION_KIND_NAME -> -seen.getPile().getSeatsList().indexOf(action.getSeat());
      default -> 0;
    };
  }

  private static final int BLANK = 4;
  private static final int GREY = 5;

  /**
   * Three times what a card may bring: a die that is still to be rolled matches it in one of three
   * cases.
   */
  private static int promise(LunarLaserFrogs.Observation seen, int card) {
    if (card == GREY) {
      return 3 * seen.getPile().getSeatsCount();
    }
    int toRoll = 0;
    int blank = 0;
    int matching = 0;
    for (int face : seen.getFacesList()) {
      int colours = face - 1;
      toRoll += face == 0 ? 1 : 0;
      blank += colours == 0 ? 1 : 0;
      matching += face > 0 && (colours >> (card - 1) & 1) == 1 ? 1 : 0;
    }
    if (card == BLANK) {
      return 2 * (3 * blank + toRoll);
    }
    if (matching == 0 && seen.getWindow() >= 2) {
      return 12; // a colour that no die shows is lasered on all of them
    }
    return 3 * matching + toRoll;
  }

  private static int sum(List<Integer> numbers) {
    int total = 0;
    for (int number : numbers) {
      total += number;
    }
    return total;
  }

  /**
   * The index of the legal action with the highest score; the first of them if there are several.
   */
  static int choose(Any observation) throws InvalidProtocolBufferException {
    ByteString bytes = observation.getValue();
    String address = observation.getTypeUrl();
    String type = address.substring(address.lastIndexOf('/') + 1);
    switch (type) {
      case "arena.games.bugs_on_rugs.v1.Observation" -> {
        var seen = BugsOnRugs.Observation.parseFrom(bytes);
        return best(seen.getLegalActionsList(), action -> bugsOnRugs(seen, action));
      }
      case "arena.games.ladybugs.v1.Observation" -> {
        var seen = Ladybugs.Observation.parseFrom(bytes);
        return best(seen.getLegalActionsList(), action -> ladybugs(seen, action));
      }
      case "arena.games.lucky_numbers.v1.Observation" -> {
        var seen = LuckyNumbers.Observation.parseFrom(bytes);
        return best(seen.getLegalActionsList(), action -> luckyNumbers(seen, action));
      }
      case "arena.games.lunar_laser_frogs.v1.Observation" -> {
        var seen = LunarLaserFrogs.Observation.parseFrom(bytes);
        return best(seen.getLegalActionsList(), action -> lunarLaserFrogs(seen, action));
      }
      case "arena.games.party_bugs.v1.Observation" -> {
        var seen = PartyBugs.Observation.parseFrom(bytes);
        return best(seen.getLegalActionsList(), action -> partyBugs(seen, action));
      }
      default ->
          throw new IllegalArgumentException("expected a known game's observation, got " + type);
    }
  }

  private static <A> int best(List<A> actions, ToIntFunction<A> score) {
    int best = 0;
    int highest = Integer.MIN_VALUE;
    for (int index = 0; index < actions.size(); index++) {
      int points = score.applyAsInt(actions.get(index));
      if (points > highest) {
        highest = points;
        best = index;
      }
    }
    return best;
  }
}
