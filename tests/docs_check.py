"""What a program can check of the documentation: that it says of the code only what the code says.

    bazel run //tests:docs              lists what is broken
    bazel run //tests:docs -- --fix     first copies quoted code from the source into the pages

In all Markdown files: relative links and their anchors, `path:Symbol` mentions, quotes.
In docs/ and the two READMEs of the root, the *pages*: also Bazel labels and backticked paths, and English-Spanish parity.
A quote is a fenced block whose caption, the last line above it, names `path#anchor`: a source line ending in
`[anchor: NAME]`. The quote is what follows that line, down to the next blank one, without common indentation.
A caption may also name a printed text, `path.golden#SECTION`: the lines after a line `== SECTION` (or `---`, or `##`)
down to the next such line, without blank lines at either end. `path.golden#all` is the whole file.
"""

import os
import pathlib
import re
import sys
import textwrap

SOURCE_SUFFIXES = (".h", ".cc", ".cu", ".py", ".bzl", ".sh")
SOURCE = r"[\w./+-]+\.(?:h|cc|cu|py|bzl|sh)"
PRINTED = r"[\w./+-]+\.(?:golden|md|txt)"
QUOTE = re.compile(rf"`({SOURCE})#([\w-]+)`")
PRINTED_QUOTE = re.compile(rf"`({PRINTED})#([^`]+)`")
SECTION = re.compile(r"^(?:==|---|##) (.+?)(?: ==)?$")
SYMBOL = re.compile(rf"`({SOURCE}):([A-Za-z_~][\w:~]*)`")
LINK = re.compile(r"\]\(([^()\s]+)\)")
LABEL = re.compile(r"(?<![\w@:/\"])//((?:[\w-]+/)*[\w-]+)?(/?\.\.\.)?(?::([\w.-]+))?")
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)+/?)`")
ID = re.compile(r'<a id="([^"]+)"></a>')
HEADING = re.compile(r"^(#+) +(.*?) *$")
CHAPTER = re.compile(r"docs/[\w./-]+\.md#[\w-]+")
LANGUAGES = re.compile(r"^\[English\]\(([^)]+)\) · \[Español\]\(([^)]+)\)$")


class Page:
    """A Markdown file, taken apart: its lines outside of fenced blocks, and the blocks."""

    def __init__(self, root, path):
        self.path = path  # relative to root
        self.lines = (root / path).read_text().splitlines()
        self.prose = []  # (line number, text)
        self.blocks = []  # (first line number, language, caption, text)
        fence, caption = None, ""
        for number, line in enumerate(self.lines, 1):
            if fence is not None:
                if line.strip() == "```":
                    first, language, block_caption = fence
                    self.blocks.append((first, language, block_caption, "\n".join(self.lines[first - 1:number - 1])))
                    fence, caption = None, ""
            elif line.startswith("```"):
                fence = (number + 1, line[3:].strip(), caption)
            else:
                self.prose.append((number, line))
                caption = line if line.strip() else caption
        self.open_fence = fence
        self.ids = [i for _, line in self.prose for i in ID.findall(line)]
        self.headings = [m.groups() for _, line in self.prose if (m := HEADING.match(line))]
        self.quotes = [(first, m.group(1), m.group(2), text) for first, _, caption, text in self.blocks
                       if (m := QUOTE.search(caption) or PRINTED_QUOTE.search(caption))]

    def anchors(self):
        """What a link may name: explicit ids, and the ones that a forge makes of headings."""
        made = {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for _, text in self.headings}
        return made | set(self.ids)


def tree_files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "bazel-")) and f not in ("__pycache__", "shared"))
        for name in sorted(names):
            yield (pathlib.Path(folder) / name).relative_to(root)


def quoted_source(root, path, anchor):
    """The text that a quote of path#anchor must have, or None where there is no such anchor."""
    if not (root / path).is_file():
        return None
    lines = (root / path).read_text().splitlines()
    if not path.endswith(SOURCE_SUFFIXES):
        return printed_section(lines, anchor)
    marks = [i for i, line in enumerate(lines) if line.rstrip().endswith(f"[anchor: {anchor}]")]
    if len(marks) != 1:
        return None
    end = start = marks[0] + 1
    while end < len(lines) and lines[end].strip():
        end += 1
    return textwrap.dedent("\n".join(lines[start:end]))


def printed_section(lines, name):
    """The lines of one section of a printed text; None where there is none of that name."""
    if name != "all":
        heads = [i for i, line in enumerate(lines) if (m := SECTION.match(line)) and m.group(1) == name]
        if len(heads) != 1:
            return None
        lines = lines[heads[0] + 1:]
        lines = lines[:next((i for i, line in enumerate(lines) if SECTION.match(line)), len(lines))]
    return "\n".join(lines).strip("\n")


def check_quotes(root, page):
    for first, path, anchor, text in page.quotes:
        source = quoted_source(root, path, anchor)
        if source is None:
            mark = f"[anchor: {anchor}]" if path.endswith(SOURCE_SUFFIXES) else f"== {anchor}"
            yield first, f"quotes {path}#{anchor}, and there is no one line '{mark}' in that file"
        elif source != text:
            yield first, f"the quote of {path}#{anchor} is not what the source says (bazel run //tests:docs -- --fix)"


def check_links(root, page, pages):
    for number, line in page.prose:
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", target):
                continue  # elsewhere
            name, _, anchor = target.partition("#")
            path = pathlib.Path(os.path.normpath(page.path.parent / name)) if name else page.path
            if not (root / path).exists():
                yield number, f"link to {target}: no such file"
            elif anchor and path in pages and anchor not in pages[path].anchors():
                yield number, f"link to {target}: {path} has no anchor '{anchor}'"


def check_symbols(root, page):
    for number, line in page.prose:
        for path, symbol in SYMBOL.findall(line):
            file = next((f for f in (root / path, root / page.path.parent / path) if f.is_file()), None)
            name = symbol.split("::")[-1]
            if file is None:
                yield number, f"{path}:{symbol}: no such file"
            elif not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", file.read_text()):
                yield number, f"{path}:{symbol}: the file does not say '{name}'"


def label_exists(root, package, wildcard, name):
    folder = root / (package or "")
    if wildcard:
        return folder.is_dir()
    build = folder / "BUILD"
    name = name or folder.name
    return build.is_file() and (name == "all" or f'"{name}"' in build.read_text() or (folder / name).is_file())


def check_names(root, page):
    """Labels anywhere, blocks of code that are not quotes included; paths that start with a folder of this tree."""
    quoted = {first for first, *_ in page.quotes}
    texts = page.prose + [(first, text) for first, _, _, text in page.blocks if first not in quoted]
    for number, text in texts:
        for package, wildcard, name in LABEL.findall(text):
            if (package or wildcard or name) and not label_exists(root, package, wildcard, name):
                yield number, f"//{package}{wildcard}{':' + name if name else ''}: no such target"
    for number, line in page.prose:
        for path in PATH.findall(line):
            if (root / path.split("/")[0]).is_dir() and not (root / path).exists():
                yield number, f"{path}: no such file"


def counterpart(path):
    """The same page in the other language: (English, Spanish)."""
    if path.parts[0] == "docs":
        rest = path.parts[2:]
        return pathlib.Path("docs", "en", *rest), pathlib.Path("docs", "es", *rest)
    return pathlib.Path("README.md"), pathlib.Path("README.es.md")


def is_translated(path):
    return str(path) in ("README.md", "README.es.md") or path.parts[:2] in (("docs", "en"), ("docs", "es"))


def check_languages(root, page):
    opening = LANGUAGES.match(page.lines[0]) if page.lines else None
    if not opening:
        yield 1, "does not open with [English](...) · [Español](...)"
        return
    for target, wanted in zip(opening.groups(), counterpart(page.path)):
        if pathlib.Path(os.path.normpath(page.path.parent / target)) != wanted:
            yield 1, f"its language links should lead to {wanted}, not {target}"


def check_parity(page, pages):
    english, spanish = counterpart(page.path)
    if page.path != english or spanish not in pages:
        if page.path == english or english not in pages:
            yield 1, f"there is no {spanish if page.path == english else english}"
        return
    other = pages[spanish]
    for what, of in (
            ("ids", lambda p: p.ids),
            ("levels of headings", lambda p: [level for level, _ in p.headings]),
            ("languages of code blocks", lambda p: [language for _, language, *_ in p.blocks]),
            ("quotes", lambda p: [f"{path}#{anchor}" for _, path, anchor, _ in p.quotes]),
            ("mentions", lambda p: sorted({m for _, line in p.prose for m in SYMBOL.findall(line)})),
            ("rows of tables", lambda p: sum(line.startswith("|") for _, line in p.prose))):
        if of(page) != of(other):
            yield 1, f"{spanish} has other {what}: {of(page)} here, {of(other)} there"


def glossary_rows(page):
    """(line, English, Spanish, [words not to use]) of docs/glossary.md."""
    for number, line in page.prose:
        cells = [c.strip() for c in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) >= 3 and not set(line) <= set("|-: ") and cells[0] != "English":
            yield number, cells[0], cells[1], [w.strip() for w in cells[2].split(",") if w.strip()]


def check_glossary(page, pages):
    seen = set()
    for number, english, spanish, unwanted in glossary_rows(page):
        if not english or not spanish or english in seen:
            yield number, f"'{english}': each term once, in both languages"
        seen.add(english)
        for other in pages.values():
            if not is_translated(other.path) or other.path != counterpart(other.path)[1]:
                continue
            for word in unwanted:
                for n, line in other.prose:
                    if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", re.sub(r"`[^`]*`", "", line), re.IGNORECASE):
                        yield number, f"{other.path}:{n} says '{word}' for '{english}': it should be '{spanish}'"


def check_chapters(root, path, pages):
    """Error messages and header comments send their readers to chapters."""
    for number, line in enumerate((root / path).read_text(errors="replace").splitlines(), 1):
        for place in CHAPTER.findall(line):
            name, _, anchor = place.partition("#")
            page = pages.get(pathlib.Path(name))
            if page is None:
                yield number, f"{place}: no such page"
            elif anchor not in page.ids:
                yield number, f"{place}: the page has no <a id=\"{anchor}\"></a>"


def broken(root):
    """One line for each thing that is not so, in the order of the paths."""
    root = pathlib.Path(root)
    files = list(tree_files(root))
    pages = {path: Page(root, path) for path in files if path.suffix == ".md"}
    found = []
    for path in files:
        problems = []
        if path in pages:
            page = pages[path]
            if page.open_fence:
                problems.append((page.open_fence[0] - 1, "a fenced block that does not end"))
            problems += check_quotes(root, page)
            problems += check_links(root, page, pages)
            problems += check_symbols(root, page)
            if is_translated(path) or path.parts[0] == "docs":
                problems += check_names(root, page)
            if is_translated(path):
                problems += check_languages(root, page)
                problems += check_parity(page, pages)
            if str(path) == "docs/glossary.md":
                problems += check_glossary(page, pages)
        elif path.suffix in SOURCE_SUFFIXES and path.name not in ("docs_test.py", "docs_check.py"):
            problems += check_chapters(root, path, pages)
        found += [f"{path}:{number}: {text}" for number, text in sorted(problems, key=lambda p: p[0])]
    if pathlib.Path("docs/glossary.md") not in pages:
        found.append("docs/glossary.md: missing")
    return found


def fix_quotes(root):
    """Copies quoted code from the source into the pages; returns what was changed."""
    root, changed = pathlib.Path(root), []
    for path in [p for p in tree_files(root) if p.suffix == ".md"]:
        page = Page(root, path)
        for first, source_path, anchor, text in reversed(page.quotes):
            source = quoted_source(root, source_path, anchor)
            if source is not None and source != text:
                length = text.count("\n") + 1 if text else 0
                page.lines[first - 1:first - 1 + length] = source.splitlines()
                changed.append(f"{path}: {source_path}#{anchor}")
        if any(c.startswith(f"{path}: ") for c in changed):
            (root / path).write_text("\n".join(page.lines) + "\n")
    return sorted(changed)


def main(arguments):
    if not set(arguments) <= {"--fix"}:
        print(__doc__)
        return 2
    root = os.environ.get("BUILD_WORKSPACE_DIRECTORY", ".")
    if "--fix" in arguments:
        for line in fix_quotes(root):
            print("rewritten:", line)
    found = broken(root)
    print("\n".join(found) or "docs: all links, quotes, symbols and labels hold, in both languages")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
