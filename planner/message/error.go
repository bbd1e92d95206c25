package message

// Error makes an error of a code and pairs, as [New] does. Parameters that are
// errors are found by errors.Is and errors.As.
func Error(code string, pairs ...any) error {
	e := &fault{message: New(code, pairs...)}
	for i := 1; i < len(pairs); i += 2 {
		if err, ok := pairs[i].(error); ok && err != nil {
			e.causes = append(e.causes, err)
		}
	}
	return e
}

// fault is the error that Error makes.
type fault struct {
	message Message
	causes  []error
}

func (e *fault) Error() string    { return e.message.String() }
func (e *fault) AsMessage() Message { return e.message }
func (e *fault) Unwrap() []error  { return e.causes }

// Err makes an error of a message.
func (m Message) Err() error { return &fault{message: m} }
