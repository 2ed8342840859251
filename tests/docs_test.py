"""The documentation of this tree holds, and the checker finds one that does not.

How a test sees the whole source tree, and why it is "local" and "external": house_rules_test.py.
"""

import os
import pathlib
import unittest

import docs_check

TEMPORARY = pathlib.Path(os.environ["TEST_TMPDIR"])
RUNFILES_ROOT = pathlib.Path(__file__).parent.parent

SOURCE = """int before;
// Adds. [anchor: add]
  int add(int a, int b) {
    return a + b;
  }

int after;
"""
QUOTE = "`core/a.h#add`:\n\n```cpp\nint add(int a, int b) {\n  return a + b;\n}\n```\n"
ENGLISH = "[English](a.md) · [Español](../es/a.md)\n\n# A\n\n" + '<a id="add"></a>\n## Add\n\n`core/a.h:add`\n\n' + QUOTE
SPANISH = ENGLISH.replace("](a.md)", "](../en/a.md)").replace("](../es/a.md)", "](a.md)").replace("## Add", "## Suma")
GOOD = {
    "core/a.h": SOURCE,
    "core/BUILD": 'cc_library(name = "a")\n',
    "core/chapters.h": 'constexpr const char* kAdd = "docs/en/a.md#add";\n',
    "docs/en/a.md": ENGLISH,
    "docs/es/a.md": SPANISH,
    "docs/glossary.md": "| English | Español | not |\n|---|---|---|\n| key | clave | llave |\n",
    "README.md": "[English](README.md) · [Español](README.es.md)\n\n[add](docs/en/a.md#add) `bazel test //core:a //core/...`\n",
    "README.es.md": "[English](README.md) · [Español](README.es.md)\n\n[suma](docs/es/a.md#add)\n",
}


class CheckerTest(unittest.TestCase):
    def tree(self, **changes):
        """GOOD with some files replaced (None: left out), in a folder of its own. Names: docs__en__a_md."""
        root = TEMPORARY / self.id()
        files = {**GOOD, **{k.replace("__", "/").replace("_es_", ".es_").replace("_md", ".md").replace("_h", ".h"): v for k, v in changes.items()}}
        for name, text in files.items():
            if text is not None:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
        return root

    def assert_finds(self, expected, **changes):
        self.assertEqual(docs_check.broken(self.tree(**changes)), expected)

    def test_a_good_tree_has_nothing_broken(self):
        self.assert_finds([])

    def test_a_broken_link(self):
        self.assert_finds(["core/README.md:1: link to ../nowhere.md: no such file",
                           "core/README.md:2: link to ../docs/en/a.md#sub: docs/en/a.md has no anchor 'sub'"],
                          core__README_md="[x](../nowhere.md) [y](https://nowhere.example)\n[z](../docs/en/a.md#sub)\n")

    def test_links_inside_code_are_none(self):
        self.assert_finds([], core__README_md="`[&](x)`\n\n```\n[x](nowhere.md)\n```\n")

    def test_a_changed_source_and_fix(self):
        changed = SOURCE.replace("a + b;", "b + a;  // shorter\n    // not at all")
        root = self.tree(core__a_h=changed)
        message = "the quote of core/a.h#add is not what the source says (bazel run //tests:docs -- --fix)"
        self.assertEqual(docs_check.broken(root), [f"docs/en/a.md:13: {message}", f"docs/es/a.md:13: {message}"])
        self.assertEqual(docs_check.fix_quotes(root), ["docs/en/a.md: core/a.h#add", "docs/es/a.md: core/a.h#add"])
        self.assertEqual(docs_check.broken(root), [])
        self.assertIn("  return b + a;  // shorter\n  // not at all\n}\n```\n", (root / "docs/en/a.md").read_text())
        self.assertEqual(docs_check.fix_quotes(root), [])

    def test_a_quote_without_an_anchor_and_with_two(self):
        message = "quotes core/a.h#add, and there is no one line '[anchor: add]' in that file"
        expected = [f"docs/en/a.md:13: {message}", f"docs/es/a.md:13: {message}"]
        self.assert_finds(expected, core__a_h="int add;\n")
        self.assert_finds(expected, core__a_h=SOURCE + SOURCE)

    def test_a_quote_of_a_printed_text(self):
        golden = "== one\n\n1\n 2\n\n== two ==\n3\n"
        quotes = "`a.golden#one`\n\n```text\n1\n 2\n```\n\n`a.golden#two`\n\n```text\n3\n```\n"
        self.assertEqual(docs_check.broken(self.tree(**{"a.golden": golden, "core__README_md": quotes})), [])
        root = self.tree(**{"a.golden": golden.replace("3", "4"), "core__README_md": quotes + "\n`a.golden#three`\n\n```\n```\n"})
        changed = "the quote of a.golden#two is not what the source says (bazel run //tests:docs -- --fix)"
        gone = "quotes a.golden#three, and there is no one line '== three' in that file"
        self.assertEqual(docs_check.broken(root), [f"core/README.md:11: {changed}", f"core/README.md:17: {gone}"])
        self.assertEqual(docs_check.fix_quotes(root), ["core/README.md: a.golden#two"])
        self.assertEqual(docs_check.broken(root), [f"core/README.md:17: {gone}"])
        self.assertEqual(docs_check.quoted_source(root, "a.golden", "all"), golden.replace("3", "4").strip())

    def test_a_symbol_that_is_gone(self):
        self.assert_finds(["core/README.md:1: core/a.h:ad: the file does not say 'ad'",
                           "core/README.md:2: core/b.h:add: no such file"],
                          core__README_md="`core/a.h:ad` `a.h:gb::add`\n`core/b.h:add`\n")

    def test_a_label_and_a_path_that_are_gone(self):
        readme = GOOD["README.md"] + "`core/b.h` `c10/core/b.h`\n\n```\nbazel run //core:b  // a comment\n```\n"
        self.assert_finds(["README.md:4: core/b.h: no such file", "README.md:7: //core:b: no such target"],
                          README_md=readme, README_es_md=GOOD["README.es.md"] + "\n```\n```\n")

    def test_a_chapter_that_errors_name(self):
        self.assert_finds(["core/chapters.h:1: docs/en/a.md#sub: the page has no <a id=\"sub\"></a>",
                           "core/chapters.h:2: docs/en/b.md#add: no such page"],
                          core__chapters_h='"docs/en/a.md#sub"\n"docs/en/b.md#add"\n')

    def test_a_page_without_its_translation(self):
        self.assertIn("docs/en/a.md:1: there is no docs/es/a.md", docs_check.broken(self.tree(docs__es__a_md=None)))

    def test_a_translation_without_its_page(self):
        self.assertIn("docs/es/a.md:1: there is no docs/en/a.md", docs_check.broken(self.tree(docs__en__a_md=None)))

    def test_pages_that_differ(self):
        found = docs_check.broken(self.tree(docs__es__a_md=SPANISH.replace('id="add"', 'id="suma"') + "\n```\nx\n```\n"))
        self.assertIn("docs/en/a.md:1: docs/es/a.md has other ids: ['add'] here, ['suma'] there", found)
        self.assertIn("docs/en/a.md:1: docs/es/a.md has other languages of code blocks: ['cpp'] here, ['cpp', ''] there", found)

    def test_a_page_without_language_links(self):
        self.assert_finds(["docs/es/a.md:1: does not open with [English](...) · [Español](...)"],
                          docs__es__a_md=SPANISH.replace("Español", "Castellano"))

    def test_language_links_to_another_page(self):
        self.assert_finds(["docs/es/a.md:1: its language links should lead to docs/en/a.md, not a.md",
                           "docs/es/a.md:1: its language links should lead to docs/es/a.md, not ../es/../en/a.md"],
                          docs__es__a_md=SPANISH.replace("](../en/a.md) · [Español](a.md)", "](a.md) · [Español](../es/../en/a.md)"))

    def test_a_word_that_the_glossary_excludes(self):
        self.assert_finds(["docs/glossary.md:3: docs/es/a.md:19 says 'llave' for 'key': it should be 'clave'"],
                          docs__es__a_md=SPANISH + "\n`llave` La\nLlave\n")

    def test_a_term_that_stands_twice(self):
        self.assert_finds(["docs/glossary.md:4: 'key': each term once, in both languages"],
                          docs__glossary_md=GOOD["docs/glossary.md"] + "| key | tecla | |\n")

    def test_a_block_that_does_not_end(self):
        self.assert_finds(["core/README.md:2: a fenced block that does not end"], core__README_md="x\n```\ny\n")


class TreeTest(unittest.TestCase):
    def test_the_documentation_of_this_tree_holds(self):
        root = (RUNFILES_ROOT / "WORKSPACE").resolve().parent
        self.assertTrue((root / "setup.sh").exists(), f"{root} is not the source tree")
        found = docs_check.broken(root)
        self.assertEqual(found, [], "\n" + "\n".join(found))


if __name__ == "__main__":
    unittest.main()
