package i18n_test

import (
	"fmt"

	"errand/app/i18n"
	"errand/planner/message"
)

func ExampleLanguage_Text() {
	m := message.New("unit.B", "number", "3", "n", 3)
	fmt.Println(i18n.English().Text(m))
	fmt.Println(i18n.ForTag("ru_RU.UTF-8").Text(m))
	// Output:
	// 3 bytes
	// 3 байта
}

func ExampleFaces_JSON() {
	doc := `{"reason":{"msg":"unit.B","params":{"number":"3","n":3}},"payload":{"msg":"not ours"}}`
	faces := i18n.Faces{Goal: i18n.ForTag("ru"), Other: i18n.English()}
	out, _ := faces.JSON([]byte(doc))
	fmt.Println(string(out))
	// Output: {"reason":"3 bytes","reason_code":"unit.B","reason_params":{"n":3,"number":"3"},"payload":{"msg":"not ours"}}
}
