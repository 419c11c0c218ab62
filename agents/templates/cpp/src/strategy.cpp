// How the bot decides: a number for each legal action, and the highest wins. Make the five functions called `score`
// yours.
//
// An observation is all that your seat may know. The .proto file of each game, in the folder proto/, says what its
// numbers mean. They are unsigned: make them an int before you subtract.
#include "strategy.hpp"

#include <algorithm>
#include <bitset>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "arena/games/bugs_on_rugs/v1/bugs_on_rugs.pb.h"
#include "arena/games/ladybugs/v1/ladybugs.pb.h"
#include "arena/games/lucky_numbers/v1/lucky_numbers.pb.h"
#include "arena/games/lunar_laser_frogs/v1/lunar_laser_frogs.pb.h"
#include "arena/games/party_bugs/v1/party_bugs.pb.h"

namespace bugs = arena::games::bugs_on_rugs::v1;
namespace frogs = arena::games::lunar_laser_frogs::v1;
namespace lady = arena::games::ladybugs::v1;
namespace lucky = arena::games::lucky_numbers::v1;
namespace party = arena::games::party_bugs::v1;

namespace {

// The sum of a list, as a number that may become negative.
template <typename List> int sum(const List &list) { return std::accumulate(list.begin(), list.end(), 0); }

// Party Bugs: low cards are good, and a second card of a value takes both away.
int score(const party::Observation &seen, const party::Action &action) {
    const auto &display = seen.displays(seen.seat()).values();
    const int value = action.value();
    switch (action.kind()) {
    case party::ACTION_KIND_TAKE:
        return std::count(display.begin(), display.end(), action.value()) ? 100 + value : -value;
    case party::ACTION_KIND_TAKE_AND_PAIR:
    case party::ACTION_KIND_HAUL_AND_PAIR:
        return 200 + value;
    case party::ACTION_KIND_MIRROR:
    case party::ACTION_KIND_MIRROR_HIDDEN:
        return value;
    case party::ACTION_KIND_PLAY:
        // The Party King takes everything: play it when that costs the least.
        return value == 13 ? 12 - sum(seen.floor()) : -value;
    case party::ACTION_KIND_HIDE:
        return -value;
    default:
        return 0;
    }
}

// How far a tile is from the number that suits a space best, in sixths.
int misfit(int tile, int space) { return std::abs(6 * (tile - 1) - 19 * (space / 4 + space % 4)); }

// Lucky Numbers: every space has a number that suits it best, from 1 in the upper left corner to 20 in the lower right.
int score(const lucky::Observation &seen, const lucky::Action &action) {
    const auto &garden = seen.gardens(seen.seat()).tiles();
    const int space = action.space();
    switch (action.kind()) {
    case lucky::ACTION_KIND_DRAW:
        return 70;
    case lucky::ACTION_KIND_DISCARD:
        return 0;
    case lucky::ACTION_KIND_LAY:
        return -misfit(seen.drawn(), space);
    default: {
        const int tile = action.kind() == lucky::ACTION_KIND_TAKE ? action.tile() : seen.drawn();
        const int there = garden[space];
        if (there == 0)
            return 100 - misfit(tile, space);
        return misfit(there, space) - misfit(tile, space) - 60;
    }
    }
}

// Whose tile lies uppermost on a space; -1 if none does.
int top_seat(const lady::Observation &seen, unsigned space) {
    int seat = -1;
    for (int tile = 0; tile < seen.tiles().spaces_size(); ++tile)
        if (seen.tiles().spaces(tile) == space)
            seat = seen.tiles().seats(tile);
    return seat;
}

// Ladybugs: flower beds bring points, action tiles are few, and whoever covers an opponent's tile takes its dots away.
int score(const lady::Observation &seen, const lady::Action &action) {
    const int dots = action.dots();
    switch (action.kind()) {
    case lady::ACTION_KIND_PLACE: {
        const int top = top_seat(seen, action.space());
        const int bed = seen.beds(action.space()) > 0 ? 20 : 0;
        const int covers = top != -1 && top != static_cast<int>(seen.seat()) ? 5 : 0;
        const int action_tiles = std::bitset<3>(action.uses()).count();
        return bed + covers + dots - 4 * action_tiles;
    }
    case lady::ACTION_KIND_BEGIN:
    case lady::ACTION_KIND_MOVE_SPIDER:
        return -dots;
    case lady::ACTION_KIND_RESIGN:
        return -100;
    default:
        return 0;
    }
}

// By type, from 1 on: about what a first bug of that type is worth.
constexpr int worth[] = {0, 3, 5, 0, 9, 4, 6, 7, 5, 2};

// The type of a bug, as in BugType.
int type_of(int bug) { return (bug - 1) / 7 + 1; }

// How many bugs of a type are in the hand.
int held(const bugs::Observation &seen, int type) {
    return std::count_if(seen.hand().begin(), seen.hand().end(), [type](int bug) { return type_of(bug) == type; });
}

// What one more bug is worth: those of a type that is in the hand already are worth more.
int value_of(const bugs::Observation &seen, int bug) { return 10 * held(seen, type_of(bug)) + worth[type_of(bug)]; }

// Bugs on Rugs: take what is worth the most, and give it away last.
int score(const bugs::Observation &seen, const bugs::Action &action) {
    switch (action.kind()) {
    case bugs::ACTION_KIND_TAKE:
        return value_of(seen, action.bug());
    case bugs::ACTION_KIND_HATCH:
    case bugs::ACTION_KIND_SWAP:
        return value_of(seen, seen.wall(action.wall()));
    case bugs::ACTION_KIND_LAY:
    case bugs::ACTION_KIND_HANG:
    case bugs::ACTION_KIND_PASS:
    case bugs::ACTION_KIND_OFFER:
        return -value_of(seen, action.bug());
    case bugs::ACTION_KIND_COPY:
        return 10 * held(seen, action.type());
    case bugs::ACTION_KIND_BREAK:
        return -sum(action.broken());
    default:
        return 0;
    }
}

constexpr int blank = 4;
constexpr int grey = 5;

// Three times what a card may bring: a die that is still to be rolled matches it in one of three cases.
int promise(const frogs::Observation &seen, int card) {
    const auto &faces = seen.faces(); // 0 is a die to be rolled, else 1 + its colours
    const int to_roll = std::count(faces.begin(), faces.end(), 0U);
    if (card == grey)
        return 3 * seen.pile().seats_size();
    if (card == blank)
        return 2 * (3 * static_cast<int>(std::count(faces.begin(), faces.end(), 1U)) + to_roll);
    const int matching = std::count_if(faces.begin(), faces.end(),
                                       [card](int face) { return face > 0 && ((face - 1) >> (card - 1) & 1) != 0; });
    if (matching == 0 && seen.window() >= 2)
        return 12; // a colour that no die shows is lasered on all of them
    return 3 * matching + to_roll;
}

// Lunar Laser Frogs: cards score by the dice that match them, but only the first of a kind does: do not wait for the
// last roll.
int score(const frogs::Observation &seen, const frogs::Action &action) {
    switch (action.kind()) {
    case frogs::ACTION_KIND_WAIT:
        return seen.window() < 2 ? 13 : 0;
    case frogs::ACTION_KIND_THROW:
    case frogs::ACTION_KIND_THROW_TWO:
        return std::accumulate(action.cards().begin(), action.cards().end(), 0,
                               [&seen](int total, int card) { return total + promise(seen, card); });
    case frogs::ACTION_KIND_ROLL:
        return -std::abs(sum(action.dice()) - 2);
    case frogs::ACTION_KIND_NAME: { // whoever threw first
        const auto &seats = seen.pile().seats();
        return -(std::find(seats.begin(), seats.end(), action.seat()) - seats.begin());
    }
    default:
        return 0;
    }
}

// The index of the legal action with the highest score; the first of them if there are several.
template <typename Observation> std::uint32_t best(const Observation &seen) {
    std::vector<int> scores;
    for (const auto &action : seen.legal_actions())
        scores.push_back(score(seen, action));
    return std::max_element(scores.begin(), scores.end()) - scores.begin();
}

} // namespace

std::uint32_t choose(const google::protobuf::Any &observation) {
    if (party::Observation seen; observation.UnpackTo(&seen))
        return best(seen);
    if (lucky::Observation seen; observation.UnpackTo(&seen))
        return best(seen);
    if (lady::Observation seen; observation.UnpackTo(&seen))
        return best(seen);
    if (bugs::Observation seen; observation.UnpackTo(&seen))
        return best(seen);
    if (frogs::Observation seen; observation.UnpackTo(&seen))
        return best(seen);
    throw std::runtime_error("expected an observation of one of five games, got " + observation.type_url());
}
