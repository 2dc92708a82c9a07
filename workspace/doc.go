// Package workspace keeps the state of one harness workspace as files: rules
// in TOML, eval cases and notices in JSON, evidence in append-only JSONL, all
// under one folder that is made to be committed, reviewed and merged with git.
//
// It promises that every write is whole or absent, that writers exclude each
// other for the length of one short write, that readers need neither a lock
// nor a writable folder, and that what a merge of two clones leaves is read as
// one history. It knows the shapes of the records and where they lie; what
// they mean (verdicts, trials, notices) is the business of package lifecycle.
//
// The layout is described in docs/workspace.md.
package workspace
