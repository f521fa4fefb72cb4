"""tools/site without its Markdown library, which the first tier does not need."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load():
    """The tool as a module; Debian's Markdown, where it is missing, is not used by these tests."""
    for name in ('markdown', 'markdown.extensions', 'markdown.extensions.toc'):
        sys.modules.setdefault(name, types.SimpleNamespace(TocExtension=None))
    loader = importlib.machinery.SourceFileLoader('site_tool', str(ROOT / 'tools' / 'site'))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('site_tool', loader))
    loader.exec_module(module)
    return module


class SiteTests(unittest.TestCase):
    """Addresses of pages and anchors."""

    def setUp(self):
        self.tool = load()
        self.site = self.tool.Site(ROOT / '.cache' / 'none')
        self.site.bodies = {'docs/README.md': '', 'docs/a.md': '<h2 id="one-two">', 'README.md': ''}

    def test_a_heading_has_the_anchor_that_github_gives_it(self):
        self.assertEqual(self.tool.slug('GitHub: the Action', '-'), 'github-the-action')
        self.assertEqual(self.tool.slug('Keys, `--keys` & more', '-'), 'keys---keys--more')

    def test_links_to_pages_lead_to_their_html(self):
        self.assertEqual(self.site.link('README.md', 'docs/a.md#one-two'), 'a.html#one-two')
        self.assertEqual(self.site.link('docs/a.md', '../README.md'), 'README.html')
        self.assertEqual(self.site.link('docs/a.md', 'README.md'), 'index.html')
        self.assertEqual(self.site.wrong, [])

    def test_a_link_that_leads_nowhere_is_named(self):
        self.site.link('docs/a.md', 'none.md')
        self.site.link('README.md', 'docs/a.md#three')
        self.assertEqual(self.site.wrong, ['docs/a.md: none.md leads nowhere',
                                           'README.md: no heading #three in docs/a.md'])

    def test_a_page_is_called_by_its_title_and_not_by_a_file_that_the_site_lacks(self):
        self.site.titles = {'docs/a.md': 'All of A'}
        self.assertEqual(self.site.named('<a href="a.html">docs/a.md</a>, <a href="a.html#one-two">One</a>'),
                         '<a href="a.html">All of A</a>, <a href="a.html#one-two">One</a>')

    def test_what_a_stranger_looks_for_is_two_clicks_from_the_start_page(self):
        text = (ROOT / 'docs' / 'README.md').read_text(encoding='utf-8')
        for task in ('**install**', "**sniffer's**", '**test in CI**', '**describe a protocol**'):
            (line,) = [line for line in text.splitlines() if task in line]
            self.assertIn('](', line)


if __name__ == '__main__':
    unittest.main()
