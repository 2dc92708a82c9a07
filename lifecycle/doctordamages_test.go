package lifecycle_test

import (
	"os"
	"path/filepath"
	"strings"
)

var ruleDamages = []damage{
	{"a rule that is not TOML", func(p patient) { p.edit(liveFile, `status = "candidate"`, `status = "candidate`) },
		[]string{"not_toml " + liveFile + ":3 error"}, "TOML"},
	{"a rule with conflict markers", func(p patient) {
		p.edit(liveFile, "tags = []\n", "<<<<<<< HEAD\ntags = [\"a\"]\n=======\ntags = [\"b\"]\n>>>>>>> theirs\n")
	}, []string{"conflict_markers " + liveFile + ":5 error"}, "choose one side"},
	{"two verdicts in one file", func(p patient) {
		p.edit(liveFile, `status = "candidate"`, "<<<<<<< HEAD\nstatus = \"active\"\n=======\nstatus = \"retired\"\n>>>>>>> theirs")
		p.edit(liveFile, `verdict = ""`, "<<<<<<< HEAD\nverdict = \"promoted:improved\"\n||||||| base\nverdict = \"\"\n=======\nverdict = \"retired:harmful\"\n>>>>>>> theirs")
	}, []string{"different_verdicts " + liveFile + ":3 error"},
		`two branches gave this rule different verdicts: active ("promoted:improved") on HEAD, and retired ("retired:harmful") on theirs`},
	{"two verdicts in two files", func(p patient) {
		p.write("state/rules/r-00000000d1.toml", ruleText("r-00000000d1", "active", "Answer in verse.", "promoted:improved"))
	}, []string{"different_verdicts state/rules/r-00000000d1.toml error"}, "two branches went different ways"},
	{"an id that is not the file's name", func(p patient) { p.edit(liveFile, `id = "r-00000000c1"`, `id = "r-00000000c2"`) },
		[]string{"id_mismatch " + liveFile + ":1 error"}, "make them equal"},
	{"a file name that is no id", func(p patient) { p.write("state/rules/mine.toml", ruleText("mine", "active", "x", "")) },
		[]string{"id_mismatch state/rules/mine.toml:1 error"}, "not a rule id"},
	{"an unknown status", func(p patient) { p.edit(liveFile, `"candidate"`, `"approved"`) },
		[]string{"unknown_status " + liveFile + ":3 error"}, "candidate, active or retired"},
	{"a missing status", func(p patient) { p.edit(liveFile, `status = "candidate"`, ``) },
		[]string{"missing_field " + liveFile + " error"}, "status"},
	{"a rule without a time", func(p patient) { p.edit(liveFile, "created_at = 2026-02-01T12:00:00.000000Z\n", "") },
		[]string{"missing_field " + liveFile + " error"}, "created_at is missing"},
	{"a missing text", func(p patient) { p.edit(liveFile, `rule = "Ask for the order id."`, ``) },
		[]string{"missing_field " + liveFile + " error"}, "rule is missing"},
	{"a field of the wrong type", func(p patient) { p.edit(liveFile, `tags = []`, `tags = "x"`) },
		[]string{"wrong_type " + liveFile + ":5 error"}, "tags has a value of the type string"},
	{"an unreadable time of a rule", func(p patient) { p.edit(liveFile, `2026-02-01T12:00:00.000000Z`, `"yesterday"`) },
		[]string{"unreadable_time " + liveFile + ":2 error"}, "yesterday"},
	{"counts that cannot be", func(p patient) {
		p.edit(liveFile, "baseline_breached_sessions = 1", "baseline_breached_sessions = 3")
	},
		[]string{"out_of_range " + liveFile + ":10 error"}, "more breached"},
	{"a verdict of another status", func(p patient) { p.edit(liveFile, `verdict = ""`, `verdict = "retired:harmful"`) },
		[]string{"verdict_mismatch " + liveFile + ":15 error"}, "different sides"},
	{"half a retirement", func(p patient) {
		p.write("state/rules/r-00000000d1.toml", p.read(retiredFile))
		p.remove(retiredFile)
	}, []string{"half_retired state/rules/r-00000000d1.toml warning mends"}, "still lies among the live rules"},
	{"a live rule among the retired", func(p patient) {
		p.write("state/rules/retired/r-00000000c1.toml", p.read(liveFile))
		p.remove(liveFile)
	}, []string{"misplaced_rule state/rules/retired/r-00000000c1.toml error mends"}, "not in force"},
	{"a rule that a merge left active among the retired", func(p patient) {
		p.edit(retiredFile, `"retired"`, `"active"`)
		p.edit(retiredFile, `"retired:no improvement"`, `"promoted:improved"`)
		p.append(dayFile, eventLine(31, "rule_promote", `"rule_id":"r-00000000d1","from":"candidate","reason":"improved","validator":"replay"`))
	}, []string{"no_transition " + dayFile + ":5 warning mends", "misplaced_rule " + retiredFile + " error mends"}, "its file says active"},
	{"a rule in both folders, retired in both", func(p patient) { p.write("state/rules/r-00000000d1.toml", p.read(retiredFile)) },
		[]string{"rule_twice state/rules/r-00000000d1.toml warning mends"}, "second file"},
	{"a rule in both folders, broken in one", func(p patient) { p.write("state/rules/retired/r-00000000c1.toml", "id =") },
		[]string{"rule_twice " + liveFile + " error", "not_toml state/rules/retired/r-00000000c1.toml:1 error"}, "mend or remove one"},
	{"a rule in both folders, live in both", func(p patient) { p.write("state/rules/retired/r-00000000c1.toml", p.read(liveFile)) },
		[]string{"rule_twice state/rules/retired/r-00000000c1.toml warning mends"}, "second file"},
	{"two rules of one text", func(p patient) {
		p.write("state/rules/r-00000000c2.toml", strings.Replace(ruleText("r-00000000c2", "candidate", "ask for  the ORDER id!", ""), "12:00:00.0", "12:00:01.0", 1))
	}, []string{"stale_rendering harness_rules.md warning mends", "same_text state/rules/r-00000000c2.toml warning"}, ""},
	{"a local time in a rule", func(p patient) { p.edit(liveFile, "12:00:00.000000Z", "12:00:00") },
		[]string{"unreadable_time " + liveFile + ":2 error"}, "2026-02-01T12:00:00 has no offset"},
	{"a date for the begin of a trial", func(p patient) {
		p.edit(liveFile, "trial_started_at = 2026-02-01T12:00:00.000000Z", "trial_started_at = 2026-02-01")
	}, []string{"unreadable_time " + liveFile + ":14 error"}, "2026-02-01 has no offset"},
	{"a time of a rule in no year", func(p patient) { p.edit(liveFile, "2026-02-01T", "0000-02-01T") },
		[]string{"unreadable_time " + liveFile + ":2 error"}, "of the years 1 to 9999"},
	{"a number for a time of a rule", func(p patient) { p.edit(liveFile, "2026-02-01T12:00:00.000000Z", "1764000000") },
		[]string{"unreadable_time " + liveFile + ":2 error"}, "1764000000"},
	{"a trial that began in the future", func(p patient) { p.edit(liveFile, "trial_started_at = 2026", "trial_started_at = 9999") },
		[]string{"future_time " + liveFile + ":14 warning"}, "trial_started_at"},
	{"a rule made in the future", func(p patient) { p.edit(liveFile, "created_at = 2026", "created_at = 2036") },
		[]string{"future_time " + liveFile + ":2 warning"}, "future"},
}

var documentDamages = []damage{
	{"a case that is not JSON", func(p patient) { p.edit(caseFile, `"kind": "failure",`, `"kind": "failure"`) },
		[]string{"not_json " + caseFile + ":6 error"}, "JSON"},
	{"a case that is cut off", func(p patient) { p.write(caseFile, p.read(caseFile)[:100]) },
		[]string{"not_json " + caseFile + ":5 error"}, "cut off"},
	{"a case with conflict markers", func(p patient) {
		p.edit(caseFile, `  "notes": ""`, "<<<<<<< HEAD\n  \"notes\": \"a\"\n=======\n  \"notes\": \"b\"\n>>>>>>> theirs")
	}, []string{"conflict_markers " + caseFile + ":13 error"}, "choose one side"},
	{"a case with another id", func(p patient) { p.edit(caseFile, `c-00000000f1`, `c-00000000f2`) },
		[]string{"id_mismatch " + caseFile + ":2 error"}, "make them equal"},
	{"a score out of range", func(p patient) { p.edit(caseFile, `"m": 0.2`, `"m": 1.2`) },
		[]string{"out_of_range " + caseFile + ":9 error"}, "outside 0 to 1"},
	{"a case of no kind", func(p patient) { p.edit(caseFile, `"failure"`, `"loss"`) },
		[]string{"bad_value " + caseFile + ":5 error"}, "failure or win"},
	{"a case with a number for a text", func(p patient) { p.edit(caseFile, `"notes": ""`, `"notes": 3`) },
		[]string{"wrong_type " + caseFile + ":13 error"}, "must be a text"},
	{"a case without a time", func(p patient) { p.edit(caseFile, "  \"created_at\": \"2026-02-01T12:00:00.000000Z\",\n", "") },
		[]string{"missing_field " + caseFile + " error"}, "created_at is missing"},
	{"an unreadable time of a case", func(p patient) { p.edit(caseFile, "2026-02-01T", "2026-02-31T") },
		[]string{"unreadable_time " + caseFile + ":3 error"}, "RFC 3339"},
	{"a case twice", func(p patient) {
		p.write("state/evalset/c-00000000f0.json", strings.Replace(caseText("c-00000000f0", "s-1"), "12:00:00.0", "12:00:01.0", 1))
	}, []string{"duplicate_case state/evalset/c-00000000f0.json note"}, "c-00000000f1"},
	{"a notice that is not JSON", func(p patient) { p.write(pendingFile, "{") },
		[]string{"not_json " + pendingFile + ":1 error"}, "cut off"},
	{"a notice with another id", func(p patient) { p.edit(pendingFile, "-0000000a", "-0000000c") },
		[]string{"id_mismatch " + pendingFile + ":2 error"}, "make them equal"},
	{"a notice that is pending and processed", func(p patient) {
		p.write("state/mailbox/pending/"+filepath.Base(answeredFile), noticeText("n-20260201T120006000000-0000000b", "pending", "null"))
	}, []string{"notice_twice state/mailbox/pending/" + filepath.Base(answeredFile) + " warning mends"}, "the processed one counts"},
	{"a pending notice copied to the processed", func(p patient) {
		p.write("state/mailbox/processed/"+filepath.Base(pendingFile), p.read(pendingFile))
	}, []string{"notice_twice state/mailbox/processed/" + filepath.Base(pendingFile) + " warning mends"}, "says itself that it is pending"},
	{"an answer of the future", func(p patient) { p.edit(answeredFile, `"acked_at": "2026`, `"acked_at": "2036`) },
		[]string{"future_time " + answeredFile + ":13 warning"}, "acked_at"},
	{"a notice in the wrong folder", func(p patient) {
		p.write("state/mailbox/pending/"+filepath.Base(answeredFile), p.read(answeredFile))
		p.remove(answeredFile)
	}, []string{"misplaced_notice state/mailbox/pending/" + filepath.Base(answeredFile) + ":7 warning mends"}, "does not lie in state/mailbox/processed"},
	{"a notice that names an unknown rule", func(p patient) { p.edit(answeredFile, `"rule_id": "r-00000000a1"`, `"rule_id": "r-00000000ee"`) },
		[]string{"unknown_rule " + answeredFile + " warning"}, "r-00000000ee"},
	{"a rule that names an unknown notice", func(p patient) {
		p.edit(liveFile, "metric =", "source_notice_id = \"n-20260101T120005000000-0000000a\"\nmetric =")
	}, []string{"unknown_notice " + liveFile + " note"}, "not in the mailbox"},
	{"a notice without a time", func(p patient) { p.edit(pendingFile, "  \"created_at\": \"2026-02-01T12:00:05.000000Z\",\n", "") },
		[]string{"missing_field " + pendingFile + " error"}, "created_at is missing"},
	{"a notice without a session", func(p patient) { p.edit(pendingFile, `"s-1"`, `" "`) },
		[]string{"bad_value " + pendingFile + ":4 error"}, "session id is empty"},
	{"a notice of no known status", func(p patient) { p.edit(pendingFile, `"pending"`, `"read"`) },
		[]string{"unknown_status " + pendingFile + ":7 error"}, "pending or acknowledged"},
	{"a notice in both folders, broken among the processed", func(p patient) {
		p.write("state/mailbox/pending/"+filepath.Base(answeredFile), noticeText("n-20260201T120006000000-0000000b", "pending", "null"))
		p.write(answeredFile, "{")
	}, []string{"notice_twice state/mailbox/pending/" + filepath.Base(answeredFile) + " error", "not_json " + answeredFile + ":1 error"}, "which is broken"},
	{"a case without a session", func(p patient) { p.edit(caseFile, `"s-1"`, `""`) },
		[]string{"bad_value " + caseFile + ":4 error"}, "session id is empty"},
	{"a score history that is cut off", func(p patient) { p.write(historyFile, p.read(historyFile)[:60]) },
		[]string{"not_json " + historyFile + ":1 error"}, "cut off"},
	{"a score history with conflict markers", func(p patient) { p.write(historyFile, "{\n<<<<<<< HEAD\n\"a::m\": {}\n=======\n>>>>>>> theirs\n}\n") },
		[]string{"conflict_markers " + historyFile + ":2 error"}, "choose one side"},
	{"a score history with an entry that is none", func(p patient) {
		p.write(historyFile, `{"s-1": {"series": []}, "s::m": {"series": [{"value": NaN, "ts": "2026-02-01T12:00:21Z"}]}}`)
	},
		[]string{"bad_entry " + historyFile + " note"}, `"s-1"`},
}

const tornRecord = `{"ts":"2026-02-01T12:00:00.000000Z","type":"not`

var evidenceDamages = []damage{
	{"a torn end of the journal", func(p patient) { p.append(dayFile, tornRecord) },
		[]string{"torn_tail " + dayFile + ":8 warning mends"}, "crash"},
	{"an end torn inside a character", func(p patient) { p.append(session1File, "{\"ts\":\"2026-02-01T12:00:00.000000Z\",\"id\":\"caf\xc3") },
		[]string{"torn_tail " + session1File + ":3 warning mends"}, "crash"},
	{"a torn end of a trial", func(p patient) { p.append(trialFile, `{"ts":"20`) },
		[]string{"torn_tail " + trialFile + ":3 warning mends"}, "crash"},
	{"a torn line in the middle", func(p patient) {
		p.edit(dayFile, `{"ts":"2026-02-01T12:00:03`, tornRecord+"\n"+`{"ts":"2026-02-01T12:00:03`)
	},
		[]string{"torn_line " + dayFile + ":3 warning mends"}, "no whole record"},
	{"a block of NUL", func(p patient) { p.append(session1File, "\x00\x00\x00\x00\n") },
		[]string{"torn_line " + session1File + ":3 warning mends"}, "no whole record"},
	{"a record without a line end", func(p patient) { p.write(session1File, strings.TrimSuffix(p.read(session1File), "\n")) },
		[]string{"torn_tail " + session1File + ":2 warning mends"}, "itself is whole"},
	{"a record glued to a torn one", func(p patient) {
		p.edit(session1File, `{"ts":"2026-02-01T12:00:22`, `{"ts":"2026-02-01T12:0`+`{"ts":"2026-02-01T12:00:22`)
	},
		[]string{"torn_line " + session1File + ":2 error mends"}, "not read"},
	{"two records on a line", func(p patient) { p.edit(session1File, "\n", "") },
		[]string{"torn_line " + session1File + ":1 error mends"}, "more than one record"},
	{"conflict markers in evidence", func(p patient) {
		p.edit(trialFile, "\n", "\n<<<<<<< HEAD\n")
		p.append(trialFile, "=======\n"+evidenceLine(13, `"type":"observation","session_id":"s-3"`)+">>>>>>> theirs\n")
	}, []string{"conflict_markers " + trialFile + ":2 warning mends", "conflict_markers " + trialFile + ":4 warning mends", "conflict_markers " + trialFile + ":6 warning mends"}, "marker"},
	{"a record without an id", func(p patient) {
		p.append(session1File, `{"ts":"2026-02-01T12:00:00Z","session_id":"s-1","signatures":[]}`+"\n")
	},
		[]string{"missing_field " + session1File + ":3 error"}, "has no id"},
	{"an event without a type", func(p patient) { p.append(dayFile, evidenceLine(31, `"session_id":"s-1"`)) },
		[]string{"missing_field " + dayFile + ":8 error"}, "has no type"},
	{"a number for the time of a record", func(p patient) { p.append(dayFile, `{"ts":1764000000,"id":"0000000000000031","type":"health"}`+"\n") },
		[]string{"wrong_type " + dayFile + ":8 error"}, "ts is no text"},
	{"a record without a time", func(p patient) { p.append(dayFile, `{"ts":null,"id":"0000000000000031","type":"health"}`+"\n") },
		[]string{"missing_field " + dayFile + ":8 error"}, "has no ts"},
	{"a transition of what is no rule", func(p patient) { p.append(dayFile, eventLine(31, "rule_promote", `"rule_id":"../../x"`)) },
		[]string{"bad_value " + dayFile + ":8 error"}, "../../x"},
	{"a transition of nothing", func(p patient) { p.append(dayFile, eventLine(31, "rule_retire", `"reason":"x"`)) },
		[]string{"missing_field " + dayFile + ":8 error"}, "has no rule_id"},
	{"an observation of nothing", func(p patient) { p.append(trialFile, evidenceLine(31, `"type":"observation"`)) },
		[]string{"missing_field " + trialFile + ":3 error"}, "names no session"},
	{"a record with a double name", func(p patient) { p.append(dayFile, eventLine(31, "health", `"x":1,"x":2`)) },
		[]string{"bad_record " + dayFile + ":8 error"}, "duplicate"},
	{"a text for a score", func(p patient) {
		p.append(session1File, evidenceLine(31, `"session_id":"s-1","scores":{"m":"high"},"signatures":[]`))
	},
		[]string{"wrong_type " + session1File + ":3 error"}, "scores.m"},
	{"a session's score out of range", func(p patient) {
		p.append(session1File, evidenceLine(31, `"session_id":"s-1","scores":{"m":1.5},"signatures":[]`))
	},
		[]string{"out_of_range " + session1File + ":3 error"}, "outside 0 to 1"},
	{"an unreadable time in evidence", func(p patient) {
		p.append(dayFile, `{"ts":"2026-02-30T12:00:00.000000Z","id":"0000000000000031","type":"health"}`+"\n")
	},
		[]string{"unreadable_time " + dayFile + ":8 error"}, "RFC 3339"},
	{"a time in the future", func(p patient) {
		p.append(session1File, strings.Replace(evidenceLine(31, `"session_id":"s-1","signatures":[]`), "2026", "2036", 1))
	},
		[]string{"future_time " + session1File + ":3 warning"}, "future"},
	{"a score of the future", func(p patient) {
		p.append(session1File, evidenceLine(31, `"session_id":"s-1","score_ts":"2036-01-01T00:00:00Z","scores":{"m":0.5},"signatures":[]`))
	}, []string{"future_time " + session1File + ":3 warning"}, "score_ts"},
	{"one id, two records", func(p patient) {
		p.append(session1File, evidenceLine(22, `"session_id":"s-1","scores":{"m":0.7},"signatures":[]`))
	},
		[]string{"repeated_id " + session1File + ":3 warning"}, "id of another record"},
	{"one id in the files of two writers", func(p patient) {
		p.write("state/sessions/s-1.bbbbbb.jsonl", evidenceLine(22, `"session_id":"s-1","scores":{"m":0.7},"signatures":[]`))
	}, []string{"repeated_id state/sessions/s-1.bbbbbb.jsonl:1 warning"}, "id of another record"},
	{"a record in another session's file", func(p patient) {
		p.append(session1File, evidenceLine(31, `"session_id":"S 9","scores":{"m":0.7},"signatures":[]`))
	},
		[]string{"misplaced_record " + session1File + ":3 error mends"}, "not looked for"},
	{"an event in another day's file", func(p patient) {
		p.append(dayFile, strings.Replace(eventLine(31, "health", `"x":1`), "02-01", "02-02", 1))
	},
		[]string{"misplaced_record " + dayFile + ":8 error mends"}, "2026-02-02"},
	{"a journal file without a writer", func(p patient) {
		p.write("state/journal/2026-02-03.jsonl", strings.Replace(eventLine(31, "health", `"x":1`), "02-01", "02-03", 1)+tornRecord)
	}, []string{"misnamed_file state/journal/2026-02-03.jsonl error mends", "torn_tail state/journal/2026-02-03.jsonl:2 warning mends"}, "is not read"},
	{"a trial file without a writer", func(p patient) {
		p.write("state/trials/r-00000000c1.jsonl", evidenceLine(13, `"type":"observation","session_id":"s-3"`))
	}, []string{"misnamed_file state/trials/r-00000000c1.jsonl error mends"}, "is not read"},
	{"a trial file of no rule", func(p patient) {
		p.write("state/trials/notes.aaaaaa.jsonl", evidenceLine(13, `"type":"observation","session_id":"s-3"`))
	}, []string{"misnamed_file state/trials/notes.aaaaaa.jsonl error"}, "is not read"},
	{"a trial of an unknown rule", func(p patient) {
		p.write("state/trials/r-00000000ee.aaaaaa.jsonl", evidenceLine(13, `"type":"observation","session_id":"s-3"`))
	}, []string{"unknown_rule state/trials/r-00000000ee.aaaaaa.jsonl warning"}, "there is not"},
	{"the trial of a rule among the sessions", func(p patient) {
		p.write("state/sessions/r-00000000c1.aaaaaa.jsonl", p.read(trialFile))
		p.remove(trialFile)
	}, []string{"misplaced_record state/sessions/r-00000000c1.aaaaaa.jsonl:1 error mends", "misplaced_record state/sessions/r-00000000c1.aaaaaa.jsonl:2 error mends"},
		"move it to state/trials/r-00000000c1"},
	{"the trial of a rule in the journal", func(p patient) {
		p.write("state/journal/r-00000000c1.aaaaaa.jsonl", p.read(trialFile))
		p.remove(trialFile)
	}, []string{"misnamed_file state/journal/r-00000000c1.aaaaaa.jsonl error mends"}, "is not read"},
	{"the journal among the trials", func(p patient) {
		p.write("state/trials/2026-02-02.aaaaaa.jsonl", strings.ReplaceAll(eventLine(31, "health", `"x":1`), "02-01", "02-02"))
	}, []string{"misnamed_file state/trials/2026-02-02.aaaaaa.jsonl error mends"}, "is not read"},
	{"an event in the file of a session", func(p patient) { p.append(session1File, eventLine(31, "recovery", `"session_id":"s-1"`)) },
		[]string{"misplaced_record " + session1File + ":3 error mends"}, "move it to state/journal/2026-02-01"},
	{"an event with signatures in the file of a session", func(p patient) {
		p.append(session1File, eventLine(31, "evalset_remove", `"session_id":"s-1","signatures":[]`))
	}, []string{"misplaced_record " + session1File + ":3 error mends"}, "is an event"},
	{"an event in the file of a trial", func(p patient) { p.append(trialFile, eventLine(31, "recovery", `"session_id":"s-1"`)) },
		[]string{"misplaced_record " + trialFile + ":3 error mends"}, "move it to state/journal/2026-02-01"},
	{"a report in the journal", func(p patient) { p.append(dayFile, evidenceLine(31, `"session_id":"s-1","signatures":[]`)) },
		[]string{"misplaced_record " + dayFile + ":8 error mends"}, "is the report of a session"},
	{"a report in the file of a trial", func(p patient) { p.append(trialFile, evidenceLine(31, `"session_id":"s-1","scores":{"m":0.3}`)) },
		[]string{"misplaced_record " + trialFile + ":3 error mends"}, "move it to state/sessions/s-1"},
	{"evidence on a rule that nobody can tell, in the file of a session", func(p patient) {
		p.append(session1File, evidenceLine(31, `"type":"observation","session_id":"s-1"`))
	}, []string{"misplaced_record " + session1File + ":3 error"}, "move it to the file of its rule"},
	{"evidence on a rule that nobody can tell, in the journal", func(p patient) {
		p.append(dayFile, evidenceLine(31, `"type":"replay_attempt"`))
	}, []string{"misplaced_record " + dayFile + ":8 error"}, "move it to the file of its rule"},
	{"evidence of an unknown type", func(p patient) { p.append(trialFile, evidenceLine(31, `"type":"dream"`)) },
		[]string{"unknown_event " + trialFile + ":3 note"}, `"dream"`},
	{"a line of an unknown type in the file of a session", func(p patient) { p.append(session1File, eventLine(31, "dream", `"session_id":"s-1"`)) },
		[]string{"bad_record " + session1File + ":3 error"}, `"dream"`},
	{"line ends of Windows", func(p patient) { p.write(session1File, strings.ReplaceAll(p.read(session1File), "\n", "\r\n")) },
		[]string{"crlf " + session1File + " note"}, "CRLF"},
	{"an event of an unknown type", func(p patient) { p.append(dayFile, eventLine(31, "dream", `"x":1`)) },
		[]string{"unknown_event " + dayFile + ":8 note"}, `"dream"`},
	{"a repeated transition, as a merge leaves it", func(p patient) {
		promoted := eventLine(31, "rule_promote", `"rule_id":"r-00000000c1","from":"candidate","reason":"improved","validator":"replay"`)
		p.append(dayFile, promoted)
		p.write(strings.Replace(dayFile, "aaaaaa", "bbbbbb", 1), promoted)
	}, []string{"no_transition " + dayFile + ":8 warning mends"}, "its file says candidate"},
	{"a repeated line, as a merge leaves it", func(p patient) {
		p.append(session1File, evidenceLine(22, `"session_id":"s-1","scores":{"m":null},"signatures":[],"unresolved":true`))
	},
		[]string{}, ""},
}

var journalDamages = []damage{
	{"a promotion that did not come about", func(p patient) {
		p.append(dayFile, eventLine(31, "rule_promote", `"rule_id":"r-00000000c1","from":"candidate","reason":"improved","validator":"replay"`))
	}, []string{"no_transition " + dayFile + ":8 warning mends"}, "its file says candidate"},
	{"a retirement that did not come about", func(p patient) {
		p.append(dayFile, eventLine(31, "rule_retire", `"rule_id":"r-00000000a1","from":"active","reason":"x","validator":"manual"`))
	}, []string{"no_transition " + dayFile + ":8 warning mends"}, "its file says active"},
	{"a promotion on the branch that did not win", func(p patient) {
		p.append(dayFile, eventLine(31, "rule_promote", `"rule_id":"r-00000000d1","from":"candidate","reason":"improved","validator":"replay"`))
	}, []string{"no_transition " + dayFile + ":8 warning mends"}, "its file says retired"},
	{"a rule that was journaled and never written", func(p patient) {
		p.append(dayFile, eventLine(31, "rule_add", `"rule_id":"r-00000000ee","status":"candidate"`))
	}, []string{"no_transition " + dayFile + ":8 warning mends"}, "there is no file"},
	{"a transition without its journal line", func(p patient) {
		p.edit(liveFile, `"candidate"`, `"active"`)
		p.edit(liveFile, `verdict = ""`, `verdict = "promoted:by hand"`)
	}, []string{"stale_rendering harness_rules.md warning mends", "not_journaled " + liveFile + " warning mends"}, ""},
	{"an acknowledgement that did not come about", func(p patient) {
		p.append(dayFile, eventLine(31, "ack", `"session_id":"s-1","rule_id":"r-00000000a1","notice_id":"n-20260201T120005000000-0000000a","note":"done"`))
	}, []string{"unfinished_ack " + dayFile + ":8 warning mends"}, "it is pending"},
	{"a promoted rule whose file is gone", func(p patient) { p.remove(activeFile) },
		[]string{"stale_rendering harness_rules.md warning mends", "lost_rule " + dayFile + ":4 warning", "unknown_rule " + answeredFile + " warning"}, ""},
	{"a transition that did not come about beside a line that is not read", func(p patient) {
		p.append(dayFile, eventLine(31, "rule_promote", `"rule_id":"r-00000000c1","from":"candidate","reason":"improved","validator":"replay"`)+
			`{"ts":"2026-02-01T12:00:00Z","type":"rule_retire"}`+"\n")
	}, []string{"no_transition " + dayFile + ":8 warning mends", "missing_field " + dayFile + ":9 error"}, "its file says candidate"},
	{"a rule whose retirement may be what is not read", func(p patient) {
		p.edit(dayFile, `"id":"0000000000000005",`, "")
		p.append(dayFile, eventLine(31, "rule_add", `"rule_id":"r-00000000ee","status":"candidate"`))
	}, []string{"missing_field " + dayFile + ":5 error"}, "has no id"},
	{"a retired rule whose file was pruned", func(p patient) { p.remove(retiredFile) }, []string{}, ""},
}

// Folders in the places of files, as a slip of a hand or a tool leaves them.
var folderDamages = []damage{
	{"a folder for an active rule", func(p patient) { folderFor(p, activeFile) },
		[]string{"lost_rule " + dayFile + ":4 warning", "unreadable " + activeFile + " error"}, "is no regular file"},
	{"a folder for a rule that was added as active", func(p patient) {
		p.edit(dayFile, `"rule_id":"r-00000000c1","status":"candidate"`, `"rule_id":"r-00000000c1","status":"active"`)
		folderFor(p, liveFile)
	}, []string{"lost_rule " + dayFile + ":1 warning", "unreadable " + liveFile + " error"}, "was added as active"},
	{"a folder for a candidate", func(p patient) { folderFor(p, liveFile) },
		[]string{"unreadable " + liveFile + " error"}, "is no regular file"},
	{"a folder for a retired rule", func(p patient) { folderFor(p, retiredFile) },
		[]string{"unreadable " + retiredFile + " error"}, "is no regular file"},
	{"a folder for a case", func(p patient) { folderFor(p, caseFile) },
		[]string{"unreadable " + caseFile + " error"}, "is no regular file"},
	{"a folder for a notice", func(p patient) { folderFor(p, pendingFile) },
		[]string{"unreadable " + pendingFile + " error"}, "is no regular file"},
	{"a folder for a session", func(p patient) { folderFor(p, session1File) },
		[]string{"unreadable " + session1File + " error"}, "is no regular file"},
	{"a folder for a trial", func(p patient) { folderFor(p, trialFile) },
		[]string{"unreadable " + trialFile + " error"}, "is no regular file"},
	{"a folder for a day of the journal", func(p patient) { folderFor(p, dayFile) },
		[]string{"unreadable " + dayFile + " error"}, "is no regular file"},
	{"a folder for the score history", func(p patient) { folderFor(p, historyFile) },
		[]string{"unreadable " + historyFile + " error"}, "is no regular file"},
	{"a folder for the rendered rules", func(p patient) { folderFor(p, "harness_rules.md") },
		[]string{"unreadable harness_rules.md error"}, "is no regular file"},
	{"no state", func(p patient) { p.removeAll("state") },
		[]string{"no_state state error"}, "bring it back from git"},
	{"no state but what a command made", func(p patient) {
		p.removeAll("state")
		p.write("state/local/writer", "aaaaaa\n")
	}, []string{"no_state state error"}, "bring it back from git"},
}

func folderFor(p patient, rel string) {
	p.t.Helper()
	p.remove(rel)
	if err := os.Mkdir(p.path(rel), 0o777); err != nil {
		p.t.Fatal(err)
	}
}

var surroundingDamages = []damage{
	{"an unknown file", func(p patient) { p.write("state/rules/r-00000000c1.toml.orig", "x") },
		[]string{"unknown_file state/rules/r-00000000c1.toml.orig note"}, "not read"},
	{"a file where other programs put it", func(p patient) { p.write("state/rules/.DS_Store", "x") }, []string{}, ""},
	{"leftovers of broken writes", func(p patient) {
		p.write("state/rules/.tmp-r-00000000c1.toml-0123abcd", "id =")
		p.write(".tmp-harness_rules.md-0123abcd", "x")
		p.write(".tmp-mine-0123abcd", "x")
		p.write("state/local/.tmp-writer-0123abcd", "x")
	}, []string{"leftover .tmp-harness_rules.md-0123abcd warning mends", "leftover state/local/.tmp-writer-0123abcd warning mends", "leftover state/rules/.tmp-r-00000000c1.toml-0123abcd warning mends"}, "broken off"},
	{"a stale rendering", func(p patient) { p.append("harness_rules.md", "x\n") },
		[]string{"stale_rendering harness_rules.md warning mends"}, "rules as they are"},
	{"no rendering", func(p patient) { p.remove("harness_rules.md") },
		[]string{"not_rendered harness_rules.md note mends"}, "in this clone"},
	{"a knob that there is not", func(p patient) { p.write("harness.toml", "rule_promote_margni = 0.1\n") },
		[]string{"bad_config harness.toml:1 error"}, "rule_promote_margin"},
	{"a harness.toml that is not TOML", func(p patient) { p.write("harness.toml", "a = 1\nb =\n") },
		[]string{"bad_config harness.toml:2 error"}, "TOML"},
	{"no harness.toml", func(p patient) { p.remove("harness.toml") },
		[]string{"no_config harness.toml note"}, "default"},
	{"a writer that is none", func(p patient) { p.write("state/local/writer", "nobody\n") },
		[]string{"bad_writer state/local/writer warning mends"}, "6 hex digits"},
	{"a writer in the environment that is none", func(p patient) { p.Workspace.Writer = "no body" },
		[]string{"bad_writer error error"}, "HARNESS_WRITER"}, // of no file
	{"a missing .gitignore", func(p patient) { p.remove(".gitignore") },
		[]string{"git_ignore .gitignore warning mends"}, "harness_rules.md"},
	{"a .gitattributes without a line", func(p patient) {
		p.write(".gitattributes", "*.png binary\nstate/sessions/*.jsonl merge=union\n*.jsonl text")
	},
		[]string{"git_attributes .gitattributes warning mends"}, "state/trials/*.jsonl merge=union"},
	{"git lines in other words", func(p patient) {
		p.write(".gitattributes", "*.jsonl text merge=union\n")
		p.write(".gitignore", "/state/local\n.tmp-*\n/harness_rules.md\n")
	}, []string{}, ""},
	{"a link out of the workspace", func(p patient) {
		outside := filepath.Join(p.t.TempDir(), "c1.toml")
		if err := os.WriteFile(outside, []byte(p.read(liveFile)), 0o666); err != nil {
			p.t.Fatal(err)
		}
		p.remove(liveFile)
		linkTo(p, outside, liveFile)
	}, []string{"link " + liveFile + " warning"}, "out of the workspace"},
	{"a link to nothing", func(p patient) { linkTo(p, "../nowhere", "state/sessions/s-3.aaaaaa.jsonl") },
		[]string{"link state/sessions/s-3.aaaaaa.jsonl error"}, "not there"},
}

func linkTo(p patient, target, rel string) {
	p.t.Helper()
	if err := os.Symlink(target, p.path(rel)); err != nil {
		p.t.Skip("this system has no symbolic links for us")
	}
}
