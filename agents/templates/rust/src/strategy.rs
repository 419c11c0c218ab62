//! How the bot decides: a number for each legal action, and the highest wins. Make the five functions yours.
//!
//! An observation is all that your seat may know. The .proto file of each game, in the folder proto/, says what its
//! numbers mean.

use crate::connection::Result;
use crate::wire::arena::games::{
    bugs_on_rugs::v1 as bugs, ladybugs::v1 as lady, lucky_numbers::v1 as lucky, lunar_laser_frogs::v1 as frogs,
    party_bugs::v1 as party,
};
use crate::wire::arena::wire::v1::{DecisionRequested, MatchStarted};

/// The index of the legal action with the highest score; the first of them if there are several.
pub fn choose(started: &MatchStarted, asked: &DecisionRequested) -> Result<usize> {
    let observation = asked.observation.as_ref().ok_or("expected an observation")?;
    match started.game.as_str() {
        "party-bugs" => {
            let seen: party::Observation = observation.to_msg()?;
            Ok(best(&seen.legal_actions, |action| party_bugs(&seen, action)))
        }
        "lucky-numbers" => {
            let seen: lucky::Observation = observation.to_msg()?;
            Ok(best(&seen.legal_actions, |action| lucky_numbers(&seen, action)))
        }
        "ladybugs" => {
            let seen: lady::Observation = observation.to_msg()?;
            Ok(best(&seen.legal_actions, |action| ladybugs(&seen, action)))
        }
        "bugs-on-rugs" => {
            let seen: bugs::Observation = observation.to_msg()?;
            Ok(best(&seen.legal_actions, |action| bugs_on_rugs(&seen, action)))
        }
        "lunar-laser-frogs" => {
            let seen: frogs::Observation = observation.to_msg()?;
            Ok(best(&seen.legal_actions, |action| lunar_laser_frogs(&seen, action)))
        }
        unknown => Err(format!("expected a game that this bot knows, got {unknown:?}").into()),
    }
}

/// The index of the first action with the highest score.
fn best<Action>(actions: &[Action], score: impl Fn(&Action) -> i32) -> usize {
    let scores: Vec<i32> = actions.iter().map(score).collect();
    let highest = scores.iter().max();
    scores.iter().position(|score| Some(score) == highest).unwrap_or(0)
}

/// Low cards are good, and a second card of a value takes both away.
fn party_bugs(seen: &party::Observation, action: &party::Action) -> i32 {
    use party::ActionKind as Kind;
    let display = &seen.displays[seen.seat as usize].values;
    let value = action.value as i32;
    match action.kind() {
        Kind::Take if display.contains(&action.value) => 100 + value,
        Kind::Take => -value,
        Kind::TakeAndPair | Kind::HaulAndPair => 200 + value,
        Kind::Mirror | Kind::MirrorHidden => value,
        // The Party King takes everything: play it when that costs the least.
        Kind::Play if value == 13 => 12 - seen.floor.iter().sum::<u32>() as i32,
        Kind::Play | Kind::Hide => -value,
        _ => 0,
    }
}

/// Every space has a number that suits it best: 1 in the upper left corner, 20 in the lower right one.
fn lucky_numbers(seen: &lucky::Observation, action: &lucky::Action) -> i32 {
    use lucky::ActionKind as Kind;
    let tile = match action.kind() {
        Kind::Draw => return 70,
        Kind::Discard => return 0,
        Kind::Lay => return -misfit(seen.drawn, action.space),
        Kind::Take => action.tile,
        _ => seen.drawn,
    };
    match seen.gardens[seen.seat as usize].tiles[action.space as usize] {
        0 => 100 - misfit(tile, action.space),
        there => misfit(there, action.space) - misfit(tile, action.space) - 60,
    }
}

/// How far a tile is from the number that suits a space best, in sixths.
fn misfit(tile: u32, space: u32) -> i32 {
    (6 * (tile as i32 - 1) - 19 * (space / 4 + space % 4) as i32).abs()
}

/// Flower beds bring points, action tiles are few, and whoever covers an opponent's tile takes its dots away.
fn ladybugs(seen: &lady::Observation, action: &lady::Action) -> i32 {
    use lady::ActionKind as Kind;
    let dots = action.dots as i32;
    match action.kind() {
        Kind::Place => {
            let bed = if seen.beds[action.space as usize] > 0 { 20 } else { 0 };
            let covers = if top_seat(seen, action.space).is_some_and(|seat| seat != seen.seat) {
                5
            } else {
                0
            };
            bed + covers + dots - 4 * (action.uses & 7).count_ones() as i32
        }
        Kind::Begin | Kind::MoveSpider => -dots,
        Kind::Resign => -100,
        _ => 0,
    }
}

/// Whose tile lies uppermost on a space.
fn top_seat(seen: &lady::Observation, space: u32) -> Option<u32> {
    let tiles = seen.tiles.as_ref()?;
    let number = tiles.spaces.iter().rposition(|&at| at == space)?;
    Some(tiles.seats[number])
}

/// Bugs of a type that is in the hand already are worth more, and given away last.
fn bugs_on_rugs(seen: &bugs::Observation, action: &bugs::Action) -> i32 {
    use bugs::ActionKind as Kind;
    match action.kind() {
        Kind::Take => gain(seen, bug_type(action.bug)),
        Kind::Hatch | Kind::Swap => gain(seen, bug_type(seen.wall[action.wall as usize])),
        Kind::Lay | Kind::Hang | Kind::Pass | Kind::Offer => -gain(seen, bug_type(action.bug)),
        Kind::Copy => 10 * held(seen, action.r#type as u32),
        Kind::Break => -(action.broken.iter().sum::<u32>() as i32),
        _ => 0,
    }
}

/// What one more bug of a type is worth.
fn gain(seen: &bugs::Observation, wanted: u32) -> i32 {
    10 * held(seen, wanted) + WORTH[wanted as usize]
}

/// The type of a bug, as in BugType.
fn bug_type(bug: u32) -> u32 {
    bug.div_ceil(7)
}

/// How many bugs of a type are in the hand.
fn held(seen: &bugs::Observation, wanted: u32) -> i32 {
    seen.hand.iter().filter(|&&bug| bug_type(bug) == wanted).count() as i32
}

/// By type, from 1 on: about what a first bug of that type is worth.
const WORTH: [i32; 10] = [0, 3, 5, 0, 9, 4, 6, 7, 5, 2];

/// Cards score by the dice that match them, but only the first of a kind does: do not wait for the last roll.
fn lunar_laser_frogs(seen: &frogs::Observation, action: &frogs::Action) -> i32 {
    use frogs::ActionKind as Kind;
    match action.kind() {
        Kind::Wait if seen.window < 2 => 13,
        Kind::Throw | Kind::ThrowTwo => action.cards.iter().map(|&card| promise(seen, card)).sum(),
        Kind::Roll => -(action.dice.iter().sum::<u32>() as i32 - 2).abs(),
        // Whoever threw first.
        Kind::Name => -(thrown(seen).iter().position(|&seat| seat == action.seat).unwrap_or(0) as i32),
        _ => 0,
    }
}

/// Three times what a card may bring: a die that is still to be rolled matches it in one of three cases.
fn promise(seen: &frogs::Observation, card: u32) -> i32 {
    let count =
        |matches: &dyn Fn(u32) -> bool| seen.faces.iter().filter(|&&face| face > 0 && matches(face - 1)).count() as i32;
    let to_roll = seen.faces.iter().filter(|&&face| face == 0).count() as i32;
    match card {
        GREY => 3 * thrown(seen).len() as i32,
        BLANK => 2 * (3 * count(&|colours| colours == 0) + to_roll),
        colour => match count(&|colours| colours >> (colour - 1) & 1 == 1) {
            0 if seen.window >= 2 => 12, // a colour that no die shows is lasered on all of them
            matching => 3 * matching + to_roll,
        },
    }
}

/// The seats whose cards lie in the pile, in order.
fn thrown(seen: &frogs::Observation) -> &[u32] {
    seen.pile.as_ref().map_or(&[], |pile| &pile.seats)
}

const BLANK: u32 = 4;
const GREY: u32 = 5;
