package print

import (
	"encoding/json"

	"errand/app/answers"
	"errand/app/i18n"
	"errand/planner/message"
)

// InLanguage is a value of a JSON document with its own goal language, such as one draft of a
// list.
func InLanguage(tag string, v any) json.Marshaler { return translated{i18n.ForTag(tag), v} }

type translated struct {
	language *i18n.Language
	value    any
}

func (s translated) MarshalJSON() ([]byte, error) { return marshal(s.value, s.language) }

// marshal encodes a JSON document with the texts of its messages: those about the goal in the
// goal's language, all others in English.
func marshal(v any, goal *i18n.Language) ([]byte, error) {
	doc, err := message.EncodeJSON(v)
	if err != nil {
		return nil, err
	}
	return i18n.Faces{Goal: goal, Other: i18n.English(), Payload: answers.MessageKeys}.JSON(doc)
}
