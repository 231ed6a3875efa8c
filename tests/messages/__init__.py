"""Tests of messages planned as data, without a running bot."""
