"""The client of chat endpoints: what it sends, how long it waits, what it refuses, and that no key gets out."""

from __future__ import annotations

import gzip
import pickle
import re
import socket
import sys

import pytest
from support.chat import KEY, MODEL, ChatServer, chat, completion, says, sends, serving

from flowbench.builders.rewriting.client import ChatClient, Limits
from flowbench.builders.rewriting.endpoint import KEY_VARIABLE, Endpoint, RewriterError
from flowbench.errors import UsageError

__all__ = ["chat"]

ASKED = [{"role": "user", "content": "Say something."}]
QUICK = Limits(seconds=5.0, tries=3, pause=0.0)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def client(server: ChatServer, limits: Limits = QUICK, slept: list[float] | None = None) -> ChatClient:
    return ChatClient(Endpoint.of(server.url, MODEL), limits, (slept if slept is not None else []).append)


def refusal(server: ChatServer, limits: Limits = QUICK) -> str:
    """The sentence in which a request ends; the key is not in it."""
    with pytest.raises(RewriterError) as caught:
        client(server, limits).ask(ASKED)
    sentence = str(caught.value)
    assert server.url in sentence
    assert MODEL in sentence
    assert caught.value.exit_code == 2
    assert sentence.endswith("build without --rewriter.")
    assert KEY not in sentence + repr(caught.value.__cause__) + repr(caught.value.__context__)
    assert str(pickle.loads(pickle.dumps(caught.value))) == sentence  # it travels from workers
    return sentence


def test_it_asks_as_such_endpoints_want_to_be_asked(chat: ChatServer) -> None:
    chat.script = [says("Something.")]
    assert client(chat).ask(ASKED) == "Something."
    [(headers, body)] = chat.requests
    assert headers["path"] == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body == {"model": MODEL, "messages": ASKED, "stream": False}


def test_without_a_key_none_is_sent(chat: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE)
    chat.script = [says("Something.")]
    assert client(chat).ask(ASKED) == "Something."
    assert "Authorization" not in chat.requests[0][0]


def test_a_key_with_a_line_break_is_refused_unseen(chat: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, f"{KEY}\nX-Other: 1")
    with pytest.raises(UsageError, match=KEY_VARIABLE) as caught:
        client(chat)
    assert KEY not in str(caught.value)


def test_proxies_are_for_other_machines(chat: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    chat.script = [says("Something.")]
    assert client(chat).ask(ASKED) == "Something."


def test_failures_that_may_pass_are_tried_again_ever_more_slowly(chat: ChatServer) -> None:
    limits, slept = Limits(seconds=5.0, tries=5, pause=1.0, longest_pause=6.0), []
    chat.script = [sends(b"", 500), sends(b"", 503), sends(b"", 429), sends(b"", 502), says("Something.")]
    assert client(chat, limits, slept).ask(ASKED) == "Something."
    assert slept == [1.0, 2.0, 4.0, 6.0]


@pytest.mark.parametrize(("wish", "pause"), [("3", 3.0), ("86400", 6.0), ("0", 1.0), ("soon", 1.0), ("-5", 1.0)])
def test_the_endpoint_s_wish_counts_within_bounds(chat: ChatServer, wish: str, pause: float) -> None:
    slept: list[float] = []
    chat.script = [sends(b"", 429, Retry_After=wish), says("Something.")]
    assert client(chat, Limits(longest_pause=6.0), slept).ask(ASKED) == "Something."
    assert slept == [pause]


def test_tries_come_to_an_end(chat: ChatServer) -> None:
    chat.script = [sends(b"", 500)] * 9
    assert "answers with status 500 (3 tries)" in refusal(chat)
    assert len(chat.requests) == 3


@pytest.mark.parametrize(
    ("status", "advice"), [(401, KEY_VARIABLE), (403, KEY_VARIABLE), (404, "base URL"), (400, "URL")]
)
def test_failures_that_stay_are_not_tried_again(chat: ChatServer, status: int, advice: str) -> None:
    chat.script = [sends(KEY.encode(), status)]
    assert advice in refusal(chat)
    assert len(chat.requests) == 1


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(chat: ChatServer, status: int) -> None:
    with serving() as other:
        chat.script = [sends(b"", status, Location=f"{other.url}/chat/completions")]
        assert f"redirects elsewhere (status {status})" in refusal(chat)
        assert other.requests == []


def test_a_slow_answer_is_not_waited_for(chat: ChatServer) -> None:
    chat.script = [chat.hangs] * 2
    assert "takes too long" in refusal(chat, Limits(seconds=0.1, tries=2, pause=0.0))


def test_an_answer_that_trickles_is_cut_off(chat: ChatServer) -> None:
    chat.script = [chat.drips]
    assert "takes too long" in refusal(chat, Limits(seconds=0.2, tries=1))


def test_a_huge_answer_is_of_no_use(chat: ChatServer) -> None:
    chat.script = [says("a" * 100_000)]
    assert client(chat, Limits(tries=1, reply_bytes=50_000)).ask(ASKED) is None
    chat.script = [says("a" * 10_000)]
    assert client(chat, Limits(tries=1, reply_bytes=50_000)).ask(ASKED) == "a" * 10_000


def test_a_compressed_answer_is_refused_packed(chat: ChatServer) -> None:
    bomb = gzip.compress(b" " * 10_000_000)
    chat.script = [sends(bomb, Content_Encoding="gzip")]
    assert "compresses" in refusal(chat)
    assert chat.requests[0][0]["Accept-Encoding"] == "identity"


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"not json", b"<html>", b"[" * 100_000, b"[]", b"{}", b"NaN", b"\xff\xfe", b"123456789" * 1000),
        *(b'{"choices": []}', b'{"choices": [3]}', b'{"choices": [{"message": null}]}', b'{"choices": "abc"}'),
    ],
)
def test_what_is_no_chat_completion_is_tried_again_and_told(chat: ChatServer, body: bytes) -> None:
    chat.script = [sends(body)] * 3
    assert "no chat completions" in refusal(chat)
    chat.script = [sends(body), says("Something.")]
    assert client(chat).ask(ASKED) == "Something."


@pytest.mark.parametrize(
    "body", [completion(None), completion("cut", "length"), completion("x", "content_filter"), completion([])]
)
def test_a_model_that_is_cut_off_or_silent_says_nothing(chat: ChatServer, body: dict[str, object]) -> None:
    chat.script = [sends(body)]
    assert client(chat).ask(ASKED) is None


def test_a_connection_that_breaks_is_made_again(chat: ChatServer) -> None:
    chat.script = [lambda handler: handler.connection.shutdown(socket.SHUT_RDWR), says("Something.")]
    assert client(chat).ask(ASKED) == "Something."


def test_an_endpoint_that_is_not_there_is_one_sentence(chat: ChatServer) -> None:
    chat.close()
    assert "cannot be reached" in refusal(chat)


def test_without_the_library_it_says_how_to_install_it(chat: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(UsageError, match=re.escape("pip install '.[rewriter]' -c constraints.txt")):
        client(chat)


def test_the_key_is_in_no_representation(chat: ChatServer) -> None:
    one = client(chat)
    assert KEY not in repr(one) + repr(vars(one)) + repr(one._client.headers)


@pytest.mark.parametrize(
    "url",
    [
        *("https://llm.example.org/v1", "https://llm.example.org:8443/a/b", "HTTPS://LLM.example.org"),
        *("http://localhost:8000/v1", "http://127.0.0.1:1", "http://127.9.9.9/v1", "http://[::1]:8000/v1"),
    ],
)
def test_urls_that_will_do(url: str) -> None:
    for given in (url, f"{url}/"):
        assert Endpoint.of(given, MODEL).url.lower() == url.lower()


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://llm.example.org/v1", "http, but llm.example.org is another machine"),
        ("http://127.0.0.1.example.org/v1", "another machine"),
        ("http://localhost.example.org/v1", "another machine"),
        ("http://0.0.0.0:8000/v1", "another machine"),
        ("https://me:hunter2@llm.example.org/v1", "a user, a password"),
        ("https://me@llm.example.org/v1", "a user, a password"),
        ("https://llm.example.org/v1?key=hunter2", "a query"),
        ("https://llm.example.org/v1#hunter2", "a fragment"),
        ("ftp://llm.example.org", "not the address of an endpoint"),
        ("file:///etc/passwd", "not the address of an endpoint"),
        ("llm.example.org/v1", "not the address of an endpoint"),
        ("https://", "not the address of an endpoint"),
        ("https://[::1", "not the address of an endpoint"),
        ("https://llm.example.org:99999/v1", "not the address of an endpoint"),
        ("https://llm.example.org/v1\r\nX: hunter2", "not the address of an endpoint"),
        ("", "not the address of an endpoint"),
    ],
)
def test_urls_that_will_not(url: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence) as caught:
        Endpoint.of(url, MODEL)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("model", ["", " ", "a b", "/home/me/model", "-x", "a\nb", "ü", "x" * 200])
def test_models_that_no_endpoint_has(model: str) -> None:
    with pytest.raises(UsageError, match="--rewriter-model"):
        Endpoint.of("https://llm.example.org/v1", model)
