"""One process embeds for all."""

from helix import Helix
from helix.doors.alone import LOCK, enrich_alone
from helix.doors.resident import locked


def test_only_one_process_embeds_at_a_time(tmp_path):
    with Helix.open(tmp_path / "memory.db", scope="project:shop") as memory:
        memory.remember("We deploy on Fridays")
        with (tmp_path / LOCK).open("a") as file:
            assert locked(file)
            assert enrich_alone(memory, tmp_path) is None
        assert enrich_alone(memory, tmp_path) == 1
