"""What a browser would make of a page of ours, and that nothing in it runs or loads anything."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser

import cv2
import numpy as np

EVIL = """</pre></style><script>alert(1)</script><img src=x onerror="alert(1)">'" {{ 7 * 7 }}"""
SOURCES = ("data:image/webp;base64,", "data:image/svg+xml;base64,", "#")
VIDEOS = "data:video/mp4;base64,"
CSP = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
VIDEO_CSP = "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'"
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "header", "footer", "article", "section", "figure"),
    *("figcaption", "div", "span", "p", "h1", "h2", "h3", "a", "b", "i", "u", "em", "img", "input", "label", "details"),
    *(
        "h4",
        "nav",
        "br",
        "summary",
        "dl",
        "dt",
        "dd",
        "ol",
        "ul",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "pre",
    ),
}


class Page(HTMLParser):
    """What a browser would make of the page, as far as the tests ask."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "img", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "elements are nested properly"

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)

    def shown(self) -> str:
        return " ".join(" ".join(self.text).split())

    def images(self) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == "img"]


def pixels(uri: str | None) -> np.ndarray:
    """(H, W, 3) RGB of a ``data:`` URI."""
    assert uri is not None
    assert uri.startswith("data:image/webp;base64,")
    data = np.frombuffer(base64.b64decode(uri.partition(",")[2]), np.uint8)
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert decoded is not None
    return decoded[..., ::-1]


def check_harmless(text: str, *, videos: bool = False) -> Page:
    """No script, no request, no tag or attribute that the template did not write; videos only where they may be."""
    page = Page(text)
    assert page.open == []
    assert {tag for tag, _ in page.tags} <= (TAGS | {"video"} if videos else TAGS)
    metas = [attributes for tag, attributes in page.tags if tag == "meta"]
    assert {"http-equiv": "Content-Security-Policy", "content": VIDEO_CSP if videos else CSP} in metas
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("src", "href", "action", "srcset", "poster", "data", "formaction"):
            value = attributes.get(name)
            allowed = VIDEOS if (tag, name) == ("video", "src") else SOURCES
            assert value is None or value.startswith(allowed), f"{tag} {name} {value}"
        assert re.fullmatch(r"[a-z0-9:;.,%#/() -]*", attributes.get("style") or "")
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert "http" not in style
    return page
