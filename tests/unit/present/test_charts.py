from __future__ import annotations

from kentino_desk.present.charts import LaterRows


def test_the_table_behind_the_chart_is_made_when_it_is_read():
    made = []
    rows = LaterRows(lambda: made.append(1) or (("GPUs", "1"), ("TP", "80")))
    assert not made
    assert rows[1] == ("TP", "80")
    assert list(rows) == [("GPUs", "1"), ("TP", "80")]
    assert rows == (("GPUs", "1"), ("TP", "80"))
    assert len(made) == 1
