"""Swift source as the checks see it: text without comments and without what strings say."""

import re

_TOKEN = re.compile(
    r'(?P<line>//[^\n]*)'
    r'|(?P<block>/\*)'
    r'|(?P<multi>(?P<pounds>#*)"""(?:.|\n)*?"""(?P=pounds))'
    r'|(?P<string>(?P<hashes>#*)"(?:\\.|[^"\\\n])*"(?P=hashes))'
    r'|(?P<raw>`[^`\n]*`)'
)


def _blank(text):
    """Spaces in the place of everything but line ends, so that lines and columns stay."""
    return re.sub(r'[^\n]', ' ', text)


def _string(text):
    """A string's quotes, and the code that stands in its interpolations."""
    kept = [' '] * len(text)
    kept[0] = kept[-1] = '"'
    for start in re.finditer(r'\\#*\(', text):
        depth, at = 1, start.end()
        while at < len(text) and depth:
            depth += {'(': 1, ')': -1}.get(text[at], 0)
            kept[at] = text[at] if depth else ' '
            at += 1
    for at, octet in enumerate(text):
        if octet == '\n':
            kept[at] = octet
    return ''.join(kept)


def _block_end(text, start):
    """The end of the block comment at `start`; they nest."""
    depth = 0
    for mark in re.compile(r'/\*|\*/').finditer(text, start):
        depth += 1 if mark.group() == '/*' else -1
        if depth == 0:
            return mark.end()
    return len(text)


def code_of(text):
    """`text` with comments blanked, strings emptied and raw identifiers made plain, line for line."""
    parts, at = [], 0
    while True:
        token = _TOKEN.search(text, at)
        if token is None:
            parts.append(text[at:])
            return ''.join(parts)
        parts.append(text[at:token.start()])
        end = token.end()
        if token['line'] is not None:
            parts.append(_blank(token.group()))
        elif token['block'] is not None:
            end = _block_end(text, token.start())
            parts.append(_blank(text[token.start():end]))
        elif token['raw'] is not None:
            parts.append('_' * len(token.group()))
        else:
            parts.append(_string(token.group()))
        at = end


def functions(code):
    """(line, name, lines) of each function body in `code_of` text; a closing brace belongs to it."""
    found = []
    for start in re.finditer(r'\b(func\s+[^\s(<]+|init[?!]?(?=\s*[(<])|deinit|subscript(?=\s*[(<]))', code):
        # A call of `x.init` or `self . init`; only what stands just before it counts.
        if re.search(r'[.\w]$|\bself\s*\.\s*$', code[max(0, start.start() - 80):start.start()]):
            continue
        at = _body_start(code, start.end())
        if at is None:
            continue
        depth, end = 0, at
        for brace in re.compile(r'[{}]').finditer(code, at):
            depth += 1 if brace.group() == '{' else -1
            if depth == 0:
                end = brace.end()
                break
        first = code.count('\n', 0, start.start()) + 1
        found.append((first, start.group().split()[-1], code.count('\n', start.start(), end) + 1))
    return found


def _body_start(code, at):
    """Where the body opens after a declaration's head, or None (a requirement, a call)."""
    depth = 0
    for token in re.compile(r'[()\[\]{};]|\n[ \t]*\n|\n[ \t]*(?=(?:@\w+|(?:public|package|internal|private'
                            r'|fileprivate|static|mutating|func|init|var|let|case|struct|enum)\b))'
                            ).finditer(code, at):
        text = token.group()
        if text in '([':
            depth += 1
        elif text in ')]':
            depth -= 1
            if depth < 0:
                return None
        elif depth == 0:
            return token.start() if text == '{' else None
    return None
