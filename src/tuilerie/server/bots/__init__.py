"""Bots of live tables: a driver per table, and the pools of workers that compute their moves."""
