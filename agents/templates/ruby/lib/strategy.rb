# frozen_string_literal: true

require 'google/protobuf/well_known_types'

require 'arena/games/bugs_on_rugs/v1/bugs_on_rugs_pb'
require 'arena/games/ladybugs/v1/ladybugs_pb'
require 'arena/games/lucky_numbers/v1/lucky_numbers_pb'
require 'arena/games/lunar_laser_frogs/v1/lunar_laser_frogs_pb'
require 'arena/games/party_bugs/v1/party_bugs_pb'

# How the bot decides: a number for each legal action, and the highest wins. Make the five functions named after games
# yours.
#
# An observation is all that your seat may know. The .proto file of each game, in the folder proto/, says what its
# numbers mean. Enums come as symbols, :ACTION_KIND_TAKE.
module Strategy
  module_function

  # The index of the legal action with the highest score; the first of them if there are several.
  def choose(packed)
    type, score = SCORES.fetch(packed.type_name)
    seen = packed.unpack(type)
    scores = seen.legal_actions.map { |action| score.call(seen, action) }
    scores.index(scores.max)
  end

  # Low cards are good, and a second card of a value takes both away.
  def party_bugs(seen, action)
    case action.kind
    when :ACTION_KIND_TAKE
      seen.displays[seen.seat].values.include?(action.value) ? 100 + action.value : -action.value
    when :ACTION_KIND_TAKE_AND_PAIR, :ACTION_KIND_HAUL_AND_PAIR then 200 + action.value
    when :ACTION_KIND_MIRROR, :ACTION_KIND_MIRROR_HIDDEN then action.value
    when :ACTION_KIND_PLAY
      # The Party King takes everything: play it when that costs the least.
      action.value == 13 ? 12 - seen.floor.sum : -action.value
    when :ACTION_KIND_HIDE then -action.value
    else 0
    end
  end

  # Every space has a number that suits it best: 1 in the upper left corner, 20 in the lower right one.
  def lucky_numbers(seen, action)
    case action.kind
    when :ACTION_KIND_DRAW then 70
    when :ACTION_KIND_DISCARD then 0
    when :ACTION_KIND_LAY then -misfit(seen.drawn, action.space)
    when :ACTION_KIND_TAKE then gain(seen, action.tile, action.space)
    else gain(seen, seen.drawn, action.space)
    end
  end

  # What a tile on a space is worth, perhaps in exchange for the one there.
  def gain(seen, tile, space)
    there = seen.gardens[seen.seat].tiles[space]
    there.zero? ? 100 - misfit(tile, space) : misfit(there, space) - misfit(tile, space) - 60
  end

  # How far a tile is from the number that suits a space best, in sixths.
  def misfit(tile, space)
    ((6 * (tile - 1)) - (19 * space.divmod(4).sum)).abs
  end

  # Flower beds bring points, action tiles are few, and whoever covers an opponent's tile takes its dots away.
  def ladybugs(seen, action)
    case action.kind
    when :ACTION_KIND_PLACE
      bed = seen.beds[action.space].positive? ? 20 : 0
      covers = [nil, seen.seat].include?(top_seat(seen, action.space)) ? 0 : 5
      action_tiles = action.uses.digits(2).first(3).sum
      bed + covers + action.dots - (4 * action_tiles)
    when :ACTION_KIND_BEGIN, :ACTION_KIND_MOVE_SPIDER then -action.dots
    when :ACTION_KIND_RESIGN then -100
    else 0
    end
  end

  # Whose tile lies uppermost on a space; nil if none does.
  def top_seat(seen, space)
    top = seen.tiles.spaces.rindex(space)
    top && seen.tiles.seats[top]
  end

  # Take what is worth the most, and give it away last.
  def bugs_on_rugs(seen, action)
    case action.kind
    when :ACTION_KIND_TAKE then worth(seen, action.bug)
    when :ACTION_KIND_HATCH, :ACTION_KIND_SWAP then worth(seen, seen.wall[action.wall])
    when :ACTION_KIND_LAY, :ACTION_KIND_HANG, :ACTION_KIND_PASS, :ACTION_KIND_OFFER then -worth(seen, action.bug)
    when :ACTION_KIND_COPY then 10 * held(seen, Bugs::BugType.resolve(action.type))
    when :ACTION_KIND_BREAK then -action.broken.sum
    else 0
    end
  end

  # What one more bug is worth: more, if some of its type are in the hand already.
  def worth(seen, bug)
    type = bug_type(bug)
    (10 * held(seen, type)) + WORTH[type]
  end

  # How many bugs of a type are in the hand.
  def held(seen, type)
    seen.hand.count { |bug| bug_type(bug) == type }
  end

  # The type of a bug, as in BugType.
  def bug_type(bug)
    ((bug - 1) / 7) + 1
  end

  # By type, from 1 on: about what a first bug of that type is worth.
  WORTH = [0, 3, 5, 0, 9, 4, 6, 7, 5, 2].freeze

  # Cards score by the dice that match them, but only the first of a kind does: do not wait for the last roll.
  def lunar_laser_frogs(seen, action)
    case action.kind
    when :ACTION_KIND_WAIT then seen.window < 2 ? 13 : 0
    when :ACTION_KIND_THROW, :ACTION_KIND_THROW_TWO then action.cards.sum { |card| promise(seen, card) }
    when :ACTION_KIND_ROLL then -(action.dice.sum - 2).abs
    when :ACTION_KIND_NAME then -seen.pile.seats.index(action.seat) # whoever threw first
    else 0
    end
  end

  # Three times what a card may bring: a die that is still to be rolled matches it in one of three cases.
  def promise(seen, card)
    waiting, rolled = seen.faces.partition(&:zero?) # a face is 1 + the die's colours
    return 3 * seen.pile.seats.size if card == GREY
    return 2 * ((3 * rolled.count(1)) + waiting.size) if card == BLANK

    matching = rolled.count { |face| (face - 1)[card - 1] == 1 }
    return 12 if matching.zero? && seen.window >= 2 # a colour that no die shows is lasered on all of them

    (3 * matching) + waiting.size
  end

  BLANK = 4
  GREY = 5

  Bugs = Arena::Games::BugsOnRugs::V1

  # By the name of a game's observation: its class and what scores its actions.
  SCORES = {
    party_bugs: Arena::Games::PartyBugs,
    lucky_numbers: Arena::Games::LuckyNumbers,
    ladybugs: Arena::Games::Ladybugs,
    bugs_on_rugs: Arena::Games::BugsOnRugs,
    lunar_laser_frogs: Arena::Games::LunarLaserFrogs
  }.to_h do |name, game|
    type = game::V1::Observation
    [type.descriptor.name, [type, method(name)]]
  end.freeze
end
