"""What a valid release is (quality.md): eight suites, each its own file, each over what is published alone."""
