//! The ledger and the results as terminal text, JSON, Markdown and HTML.
