package view

import (
	"reflect"
	"sync"

	"errand/app/i18n"
	"errand/planner/message"
)

// Say returns v with every Message in it replaced by its text in the language. JSON
// writes it as a string. Values behind pointers are copied if they change.
func Say[T any](l *i18n.Language, v T) T {
	say(l, reflect.ValueOf(&v).Elem())
	return v
}

var messageType = reflect.TypeFor[message.Message]()

func say(l *i18n.Language, v reflect.Value) {
	if !hasMessage(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == messageType {
			m, _ := v.Interface().(message.Message)
			v.Set(reflect.ValueOf(message.Verbatim(message.EscapeHidden(l.Text(m), "\n\t"))))
			return
		}
		for _, field := range v.Fields() {
			say(l, field)
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(list, v)
		v.Set(list)
		for i := range list.Len() {
			say(l, list.Index(i))
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		target := reflect.New(v.Type().Elem())
		target.Elem().Set(v.Elem())
		v.Set(target)
		say(l, target.Elem())
	}
}

var withMessage sync.Map // reflect.Type → bool

// hasMessage reports whether values of the type can contain a Message.
func hasMessage(t reflect.Type) bool {
	if known, ok := withMessage.Load(t); ok {
		return known.(bool)
	}
	has := t == messageType
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		has = hasMessage(t.Elem())
	case reflect.Struct:
		for i := 0; i < t.NumField() && !has; i++ {
			has = hasMessage(t.Field(i).Type)
		}
	}
	withMessage.Store(t, has)
	return has
}
