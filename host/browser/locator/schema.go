package locator

// Definition is the JSON Schema of a locator, for the "$defs" of a tool's schema under the name
// "locator". The schema refers to itself by that name.
const Definition = `{
  "type": "object",
  "description": "one element of the page, by exactly one of ref, role, label, placeholder, text, test_id, css, control, field",
  "properties": {
    "ref": {"type": "string", "pattern": "^s[1-9][0-9]{0,8}e[1-9][0-9]{0,8}$", "description": "of a snapshot, such as s1e4"},
    "role": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "ARIA role, such as button"},
    "name": {"type": "string", "maxLength": 1024, "description": "accessible name; with role"},
    "level": {"type": "integer", "minimum": 1, "maximum": 6, "description": "of a heading; with role"},
    "label": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "of a form control"},
    "placeholder": {"type": "string", "minLength": 1, "maxLength": 1024},
    "text": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "of the smallest element that has it"},
    "test_id": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "the attribute data-testid"},
    "css": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "CSS selector"},
    "control": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "what a visible link, button or the like is called"},
    "field": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "what a visible text field is called; @search: the one that searches the site"},
    "exact": {"type": "boolean", "description": "the whole text, in its case"},
    "frame": {"$ref": "#/$defs/locator", "description": "the iframe to look in"},
    "within": {"$ref": "#/$defs/locator", "description": "the element to look in"},
    "nth": {"type": "integer", "minimum": 1, "maximum": 10000, "description": "which of several matches, from 1"},
    "is": {"type": "object", "minProperties": 1, "additionalProperties": false, "description": "what the element has to be, else nothing is done",
      "properties": {"role": {"type": "string", "minLength": 1, "maxLength": 1024}, "name": {"type": "string", "minLength": 1, "maxLength": 1024},
        "host": {"type": "string", "minLength": 1, "maxLength": 1024}}}
  },
  "oneOf": [
    {"required": ["ref"]}, {"required": ["role"]}, {"required": ["label"]}, {"required": ["placeholder"]},
    {"required": ["text"]}, {"required": ["test_id"]}, {"required": ["css"]}, {"required": ["control"]}, {"required": ["field"]}
  ],
  "dependentRequired": {"name": ["role"], "level": ["role"]},
  "additionalProperties": false
}`
