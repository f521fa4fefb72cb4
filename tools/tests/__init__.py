"""Unit tests of the tools: python3 -m unittest discover -t tools -s tools/tests"""

import importlib.machinery
import importlib.util
import pathlib

TOOLS = pathlib.Path(__file__).resolve().parent.parent


def script(name):
    """A tool without a suffix, as a module."""
    module_name = name.replace('-', '_')
    loader = importlib.machinery.SourceFileLoader(module_name, str(TOOLS / name))
    spec = importlib.util.spec_from_loader(module_name, loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module
