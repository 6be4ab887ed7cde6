"""ProcTHOR houses (schema 1.0.0) as homes of the embedded engine: files, parsing, and what stands for which asset."""
