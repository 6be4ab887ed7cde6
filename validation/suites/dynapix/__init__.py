"""The suites of ``selection_*`` and ``retrieval_*``: collision scenes, their questions, queries and corpus."""
