"""Tests of pictures of any scene, in the shared palette."""
