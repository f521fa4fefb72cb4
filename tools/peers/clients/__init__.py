"""Centrals in bleak, through bluetoothd: one scripted session each, which fails if an answer is wrong."""
