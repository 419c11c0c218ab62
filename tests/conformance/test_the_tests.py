"""Shows that the conformance tests can fail: each is given a game with one fault, and must find it."""

from collections.abc import Callable

import pytest

from arena import games
from tests.conformance import faults, test_play, test_secrecy, test_views
from tests.conformance.cases import Case

Test = Callable[[Case], None]

# Which test must find which fault, and with which words.
FAULTS: list[tuple[Test, Callable[[Case], Case], str]] = [
    (
        test_play.test_outcome_answers_exactly_when_nobody_is_to_act,
        faults.outcome_at_any_time,
        "an outcome: expected ValueError, got none",
    ),
    (test_play.test_outcome_answers_exactly_when_nobody_is_to_act, faults.nobody_is_first, "expected places"),
    (test_play.test_standing_agrees_with_the_outcome, faults.standing_upside_down, "but places"),
    (test_play.test_seats_to_act_have_distinct_stable_actions, faults.an_action_twice, "twice"),
    (test_play.test_seats_to_act_have_distinct_stable_actions, faults.actions_out_of_turn, "to act: False"),
    (test_play.test_seats_to_act_have_distinct_stable_actions, faults.actions_in_any_order, "by looking"),
    (test_play.test_seats_to_act_have_distinct_stable_actions, faults.seats_descending, "to act"),
    (test_play.test_a_refused_apply_changes_nothing, faults.surplus_actions_taken, "expected IllegalAction, got none"),
    (test_play.test_a_refused_apply_changes_nothing, faults.refused_but_applied, "the state changed"),
    (test_play.test_a_clone_continues_identically, faults.clone_with_other_secrets, "a clone is another state"),
    (test_play.test_a_clone_is_independent, faults.clone_is_the_original, "changed its original"),
    (test_play.test_a_loaded_dump_continues_identically, faults.load_with_other_secrets, "is another state"),
    (test_play.test_load_refuses_other_data, faults.load_takes_anything, "expected ValueError, got none"),
    (test_play.test_the_same_seed_gives_the_same_match, faults.luck_from_outside, "two matches of one seed"),
    (test_play.test_another_seed_gives_another_match, faults.one_deal_for_all, "deal the same"),
    (test_play.test_a_match_ends_within_its_bound, faults.bound_too_low, "passed the bound of 5"),
    (
        test_play.test_a_wrong_number_of_seats_is_refused,
        faults.any_number_of_seats,
        "seats: expected ValueError, got none",
    ),
    (test_views.test_events_only_grow, faults.past_rewritten, "past changed"),
    (test_views.test_an_imagined_world_gives_back_the_view, faults.imagines_another_seat, "looks different"),
    (test_views.test_an_imagined_world_can_be_played_and_repeated, faults.imagines_without_its_luck, "two worlds"),
    (test_views.test_imagined_worlds_vary_wherever_more_than_one_fits, faults.imagines_one_world, "in one way only"),
    (test_views.test_the_generator_shows_in_no_view, faults.view_with_a_bit_of_the_generator, "shows the generator"),
    (test_views.test_luck_does_not_depend_on_choices, faults.luck_by_choices, "depends on choices"),
    (test_views.test_luck_differs_between_seeds, faults.one_deal_for_all, "same luck"),
    (test_views.test_bytes_come_back_as_the_same_values, faults.codec_forgets_events, "seat 1"),
    (test_views.test_broken_bytes_are_refused_in_words, faults.decoding_breaks, "KeyError"),
    (test_views.test_a_view_stays_as_it_was, faults.views_that_go_on, "changed an old view"),
    (test_views.test_everything_can_be_said_in_words, faults.no_words, "expected words"),
    (test_views.test_everything_can_be_said_in_words, faults.actions_in_the_same_words, "the same words"),
    (test_views.test_everything_can_be_said_in_words, faults.events_in_two_lines, "one line"),
    (test_views.test_every_action_has_a_value_of_its_own, faults.codes_with_one_meaning, "mean the same"),
    (test_secrecy.test_a_seat_learns_no_secret, faults.told_what_the_next_seat_is_told, "differ"),
    (test_secrecy.test_a_seat_learns_no_secret, faults.order_of_actions_by_a_secret, "messages differ"),
    (test_secrecy.test_a_seat_learns_no_secret, faults.view_with_a_secret_bit, "messages differ"),
    (test_secrecy.test_a_seat_learns_no_secret, faults.view_with_a_bit_of_the_generator, "messages differ"),
    (test_secrecy.test_a_seat_learns_no_secret, faults.not_asked_when_a_secret_leaves_one_action, "being asked"),
]


@pytest.fixture
def sound() -> Case:
    """A match with hidden cards, simultaneous choices and turns."""
    return Case("party-bugs", "hidden-card", 3, 1, games.load("party-bugs"), games.codec("party-bugs"))


@pytest.mark.parametrize(("test", "fault", "words"), FAULTS, ids=[fault.__name__ for _, fault, _ in FAULTS])
def test_a_fault_is_found(sound: Case, test: Test, fault: Callable[[Case], Case], words: str) -> None:
    with pytest.raises((AssertionError, KeyError, pytest.fail.Exception)) as caught:
        test(fault(sound))
    found = f"{caught.type.__name__} {caught.value}"
    assert words in found, f"found for another reason: {found}"


@pytest.mark.parametrize("test", dict.fromkeys(test for test, _, _ in FAULTS), ids=lambda test: str(test.__name__))
def test_a_replaced_game_without_a_fault_passes(sound: Case, test: Test) -> None:
    test(faults.with_state(faults.with_codec(sound)))
