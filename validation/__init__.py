"""Checks of a release that read only what is published and share no label code with the builders."""
