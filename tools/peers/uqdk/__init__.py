"""UQDK reference format 1, written from its description alone: a judge of other implementations."""
