"""Labelled RGB-D pictures of homes: made, stored, checked."""
