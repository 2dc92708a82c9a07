package workspace

import "strings"

// cases reads the eval set.
func (x *examiner) cases() {
	var whole []Case
	for _, name := range x.folder(casesDir, jsonEnding) {
		rel := casesDir + "/" + name
		data, ok := x.read(rel)
		if !ok {
			continue
		}
		x.found.Examined.Cases++
		c, err := parseCase(rel, data)
		if err != nil {
			x.broken(rel, data, err)
			continue
		}
		x.add(x.future(rel, jsonLine(data, "created_at"), "created_at", c.CreatedAt)...)
		c.ReplayInput = nil // it may be large
		whole = append(whole, c)
	}
	sortByTimeID(whole, func(c *Case) (Time, string) { return c.CreatedAt, c.ID })
	oldest := map[string]string{}
	for _, c := range whole {
		if first := oldest[c.Identity()]; first != "" {
			x.add(Finding{Kind: KindDuplicateCase, File: casesDir + "/" + c.ID + jsonEnding, Severity: SeverityNote,
				Message: "has the session, kind and signatures of case " + first + ", which is older and counts alone",
				Mend:    "to tidy up, `pandaprobe-harness case remove " + c.ID + "`"})
			continue
		}
		oldest[c.Identity()] = c.ID
	}
}

// parseCase is what readCase asks of a case.
func parseCase(rel string, data []byte) (Case, error) {
	var c Case
	if err := decodeDocument(rel, data, &c); err != nil {
		return c, err
	}
	if err := sameAsName(rel, c.ID); err != nil {
		return c, err
	}
	if err := c.Check(); err != nil {
		err.File, err.Code = rel, CodeBrokenFile
		return c, err
	}
	return c, nil
}

// sameAsName wants a document to have the id that its file is named after.
func sameAsName(rel, id string) error {
	if name := baseName(rel); id+jsonEnding != name {
		return &Error{Code: CodeBrokenFile, File: rel, Field: "id", Message: "is \"" + clip(id) + "\" but the file is named " + name + "; make them equal"}
	}
	return nil
}

func baseName(rel string) string { return rel[strings.LastIndexByte(rel, '/')+1:] }
