"""Sizing and proposals for GPU servers, offline, with every figure explained."""
