"""Results for the services that run a gate: JUnit, annotations, step summaries, badges,
Markdown."""
