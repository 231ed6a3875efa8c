"""Tests of Toad, with at least one for each rule from T1 to T15."""
