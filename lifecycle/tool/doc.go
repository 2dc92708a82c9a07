// Package tool offers an agent the operations of a workspace by the names that
// it knows (harness_rule_add, harness_mailbox_ack, ...), with JSON arguments in
// and a JSON document out.
//
// It promises that every argument is checked before anything is read or
// written, and that what an operation takes and gives is described by JSON
// Schemas. What the operations do is the engine's business, and their documents
// are those of the commands that do the same (docs/tools.md).
package tool
