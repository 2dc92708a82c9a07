package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxSessionID is the greatest length of a session id, in bytes.
const MaxSessionID = 512

// CheckSessionID says whether id can name a session: valid UTF-8 without
// control characters, not blank, at most MaxSessionID bytes.
func CheckSessionID(id string) error {
	switch {
	case strings.TrimSpace(id) == "":
		return Errorf(CodeBadInput, "the session id is empty")
	case len(id) > MaxSessionID:
		return Errorf(CodeBadInput, "the session id has %d bytes; at most %d are allowed", len(id), MaxSessionID)
	case !utf8.ValidString(id):
		return Errorf(CodeBadInput, "the session id is not valid UTF-8")
	case strings.ContainsFunc(id, unicode.IsControl):
		return Errorf(CodeBadInput, "the session id %q holds a control character", clip(id))
	}
	return nil
}

// sessionName derives the file name of a session, without its endings: legal
// on every system, and different for different ids even where file names are
// compared without case (docs/workspace.md, "Session files"). A plain id is its
// own name; any other is a readable part, a tilde, and a digest of the id.
func sessionName(id string) string {
	if isPlainName(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return readablePart(id) + "~" + hex.EncodeToString(sum[:16])
}

const plainChars = "abcdefghijklmnopqrstuvwxyz0123456789-_"

func isPlainName(id string) bool {
	return len(id) <= 64 && allIn(id, plainChars) && !isReservedName(id)
}

// isReservedName tells the names that Windows keeps for devices.
func isReservedName(s string) bool {
	switch s {
	case "con", "prn", "aux", "nul":
		return true
	}
	port, ok := strings.CutPrefix(s, "com")
	if !ok {
		port, ok = strings.CutPrefix(s, "lpt")
	}
	return ok && len(port) == 1 && port[0] >= '0' && port[0] <= '9'
}

func readablePart(id string) string {
	const most = 32
	var b strings.Builder
	for _, r := range strings.ToLower(id) {
		if b.Len() == most {
			break
		}
		if r < utf8.RuneSelf && strings.ContainsRune(plainChars, r) {
			b.WriteRune(r)
		} else {
			b.WriteByte('-')
		}
	}
	return b.String()
}
