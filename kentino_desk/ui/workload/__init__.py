"""The workload screen: form, charts, verdict, questions, candidates."""

from __future__ import annotations
