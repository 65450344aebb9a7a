"""Clients of real robots' own drivers."""
