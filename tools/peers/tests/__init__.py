"""python -m unittest discover -s peers/tests -t . (from tools/): no radio, no kernel."""
