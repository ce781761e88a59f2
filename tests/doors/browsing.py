"""A reader of what is shown: a Markdown renderer and then a browser's eye for what loads."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from hypothesis import strategies as st
from markdown_it import MarkdownIt

# A browser drops these from an address before it reads it.
DROPPED = re.compile(r"^[\x00- ]+|[\t\n\r]")
OUTSIDE = re.compile(r"(?!mailto:)[a-z][a-z0-9+.-]*:(?!:)|[/\\]{2}", re.I)
LOADS_BY_ITSELF = {"script", "style"}
POINTS = {"a": "href", "img": "src"}
"""What Markdown itself writes: an element and where its address stands."""


class Loads(HTMLParser):
    """Gathers what a browser would fetch, follow or run."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        if tag in LOADS_BY_ITSELF:
            self.found.append(tag)
        for name, value in attrs:
            if not value or name in {"alt", "title"}:
                continue
            if POINTS.get(tag) == name and not OUTSIDE.match(DROPPED.sub("", value)):
                continue
            if (tag, name) in {("ol", "start"), ("code", "class")}:
                continue
            self.found.append((tag, name, value))


def loaded(html):
    reader = Loads()
    reader.feed(html + ">")  # a page goes on behind what it shows, and may close a tag
    reader.close()
    return reader.found


def rendered(text, *, html=True):
    renderer = MarkdownIt("commonmark", {"html": html})
    # Other renderers have no list of forbidden schemes.
    renderer.validateLink = lambda _: True
    return renderer.render(text)


def what_loads(text):
    return [*loaded(rendered(text)), *loaded(rendered(text, html=False)), *loaded(text)]


ATTACKS = [
    r"![b](https\://e.example/b.png)",
    "![c](&#104;ttps://e.example/c.png)",
    "![c](&#x68;ttps://e.example/c.png)",
    "![d](https&colon;//e.example/d.png)",
    r"![e](\//e.example/e.png)",
    r"![f](/\/e.example/f.png)",
    r"![f](/\e.example/f.png)",
    r"![f](\\e.example/f.png)",
    "![g](/&sol;e.example/g.png)",
    "![g](&sol;/e.example/g.png)",
    "![h](<https://e.example/h.png>)",
    "![h](</\t/e.example/h.png>)",
    "![h](\nhttps://e.example/h.png)",
    "> ![h](\n> https://e.example/h.png)",
    "> ![h](\n> //e.example/h.png)",
    "![i][j]\n\n[j]: https://e.example/i.png",
    "![j]\n\n[j]:\nhttps://e.example/i.png",
    "> ![j]\n>\n> [j]:\n> https://e.example/i.png",
    "![j]\n\n[j]: <https://e.example/i.png>",
    "![j]\n\n[j]: https&colon;//e.example/i.png",
    "![j]\n\n[j]: //e.example/i.png 'title'",
    r"[j]" + "\n\n" + r"[j]: java\script\:alert(1)",
    "[![a](x)](https://e.example)",
    "<https://e.example/autolink>",
    "<image src=https://e.example/a>",
    "<image/src=https://e.example/a>",
    "<input type=image src=//e.example/a>",
    '<p style="background:url(//e.example/a)">',
    '<p\nstyle="background:url(//e.example/a)">',
    '> <p\n> style="background:url(//e.example/a)">',
    '- > <p\n  > style\n  > ="background:url(//e.example/a)">',
    '<p style="background:url(//e.example/a)"',
    "<style>@import '//e.example/a'</style>",
    "<STYLE\n>@import '//e.example/a'",
    "<body background=//e.example/a>",
    "<frameset><frame src=//e.example/a>",
    "<track src=//e.example/a>",
    "<a<b style='background:url(//e.example/a)'>",
    "<a; onclick = 'x()'>",
    "<div\n\nstyle='background:url(//e.example/a)'>",
    "<?xml-stylesheet href='//e.example/a'?>",
    "<!-- <p style='background:url(//e.example/a)'> -->",
]

PIECES = st.sampled_from(
    [
        *ATTACKS,
        *("![", "[", "]", "](", ")", "]:", "]: ", "][", "[x]", "![x]", "(", "!", "|", "`", "```\n"),
        *("<", ">", "</p>", "<p ", "<x-y", "<img ", "<image ", "<style", "<div", "<?", "?>"),
        *("<!--", "-->", "<![CDATA[", "]]>", "List<String>", "i<n; i", "=", '"', "'", "\\"),
        *("\n", "\n\n", " ", "\t", "> ", "- ", "1. ", "    ", "\u00a0", "\r", "\x0c", "\u2028"),
        *("https:", "https://e.example", "//e.example", "e.example", "/", ":", "data:", "x", "0"),
        *("&colon;", "&#58", "&", "style=", "src=", "url(//e.example/a)", "docs/a.md", "#here"),
        *("a@e.example", "\u200d", "\u200b"),
    ]
)  # fmt: skip
