"""One suite per port, run unchanged on every backend.

    class TestMyLedger(LedgerContract):
        @pytest.fixture
        def store(self):
            yield MyStore(...)

Each test's sentence is a rule that the port promises.
"""
