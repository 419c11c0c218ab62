"""Lines: the proto's own JSON mapping to the bot, one strict little language back."""

import json
from typing import Any

import pytest
from google.protobuf import descriptor_pool, json_format

from arena import games
from arena.sdk.bridge import lines
from arena.sdk.bridge.lines import Answer
from arena.sdk.bridge.questions import Question, Questions
from arena.sdk.bridge.trouble import Trouble
from arena.wire.v1 import referee_service_pb2 as wire
from tests.bridge.frames import messages

CASES = [(game, variant) for game in games.names() for variant in ("base", *list(games.load(game).variants())[-1:])]


@pytest.mark.parametrize(("game", "variant"), CASES)
async def test_a_match_in_lines_is_the_match_in_messages(game: str, variant: str) -> None:
    told = await messages(game, variant)
    kinds = [message.WhichOneof("message") for message in told]
    assert [kinds[0], kinds[1], kinds[-1]] == ["welcome", "match_started", "match_ended"]
    for message in told:
        line = lines.line(lines.plain(message))
        assert json_format.Parse(line, wire.Message()) == message
        assert line.count(b"\n") == 1
        assert line.isascii()
        assert line.startswith(b'{"%s":{' % str(message.WhichOneof("message")).encode())


@pytest.mark.parametrize("game", games.names())
async def test_every_field_without_presence_is_there_in_the_order_of_the_proto(game: str) -> None:
    for message in await messages(game):
        data = json.loads(lines.line(lines.plain(message)))
        check_fields(data, message.DESCRIPTOR)


def check_fields(data: dict[str, Any], descriptor: Any) -> None:
    if "@type" in data:
        assert next(iter(data)) == "@type"
        descriptor = descriptor_pool.Default().FindMessageTypeByName(data.pop("@type").partition("/")[2])
    if descriptor.full_name != "google.protobuf.Any":
        assert list(data) == [field.name for field in descriptor.fields if field.name in data]
        assert {field.name for field in descriptor.fields if not field.has_presence} <= {*data}
    for field in descriptor.fields:
        if field.message_type and field.name in data:
            value = data[field.name]
            for one in value if isinstance(value, list) else [value]:
                check_fields(one, field.message_type)


ANSWERS = [
    (b"3\n", Answer(3)),
    (b" 0 \r\n", Answer(0)),
    (b'{"action_index": 2}\n', Answer(2)),
    (b'{"match_id":"m1","action_index":2}\n', Answer(2, "m1")),
    (b'{"match_id":"m1","decision":7,"action_index":0}\n', Answer(0, "m1", 7)),
]


@pytest.mark.parametrize(("text", "answer"), ANSWERS)
def test_an_answer_says_as_much_as_it_likes(text: bytes, answer: Answer) -> None:
    assert lines.answer(text) == answer


WRONG = [
    (b"\n", "got ''"),
    (b"hello\n", "got 'hello'"),
    (b"\xff\xfe\n", "got '\ufffd\ufffd'"),
    (b"-1\n", "got '-1'"),
    (b"1.0\n", "got '1.0'"),
    (b"true\n", "got 'true'"),
    (b'"1"\n', "got '\"1\"'"),
    (b"[1]\n", "got '[1]'"),
    (b"1 2\n", "got '1 2'"),
    (b"{}\n", "got '{}'"),
    (b'{"action_index": "1"}\n', 'got \'{"action_index": "1"}\''),
    (b'{"index": 1}\n', "got the key 'index' in"),
    (b'{"action_index": 1, "decision": 2}\n', "expected a match_id beside the decision, got none"),
    (b'{"action_index": 1, "match_id": 2}\n', "got no text for match_id"),
    (b'{"action_index": 1, "match_id": "m", "decision": null}\n', "got '{"),
    (b"[" * 60_000 + b"\n", "got '["),
    (b"9" * 60_000 + b"\n", "got '9"),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG, ids=range(len(WRONG)))
def test_what_is_no_answer_is_one_short_sentence(text: bytes, sentence: str) -> None:
    with pytest.raises(Trouble) as trouble:
        lines.answer(text)
    assert sentence in str(trouble.value)
    assert str(trouble.value).startswith("expected ")
    assert len(str(trouble.value)) < 290  # so much of the last words a fault shows
    assert trouble.value.code == 1


# Which question is answered


@pytest.fixture
def questions() -> Questions:
    made = Questions()
    for number, match_id in enumerate(("m1", "m2", "m3")):
        made.ask(Question(match_id, decision=10 + number, actions=2))
    return made


def test_a_bare_index_answers_the_oldest_question(questions: Questions) -> None:
    settled = [questions.settle(Answer(1)) for _ in range(3)]
    assert [(one.match_id, one.decision, one.action_index) for one in settled] == [
        ("m1", 10, 1),
        ("m2", 11, 1),
        ("m3", 12, 1),
    ]
    assert not questions


def test_ids_answer_in_any_order(questions: Questions) -> None:
    assert questions.settle(Answer(0, "m3", 12)).match_id == "m3"
    assert questions.settle(Answer(0)).match_id == "m1"
    assert questions.settle(Answer(0, "m2")).decision == 11
    assert not questions


UNSETTLED = [
    (Answer(2), "expected an index from 0 to 1 for decision 10 of match m1, got 2"),
    (Answer(10**100), "got a number beyond all bounds"),
    (Answer(0, "m9"), "expected no answer, since nothing is asked in match 'm9' now, got 0"),
    (Answer(0, "m2", 10), "expected an answer to decision 11 of match m2, got one to decision 10"),
]


@pytest.mark.parametrize(("answer", "sentence"), UNSETTLED)
def test_an_answer_without_its_question_is_trouble(questions: Questions, answer: Answer, sentence: str) -> None:
    with pytest.raises(Trouble) as trouble:
        questions.settle(answer)
    assert sentence in str(trouble.value)
    assert questions.settle(Answer(0)).match_id == "m1"  # nothing was closed


def test_nothing_is_asked_of_nobody() -> None:
    with pytest.raises(Trouble, match="expected no answer, since nothing is asked now, got 5"):
        Questions().settle(Answer(5))
