// A plugin of somebody's. Its module is the smallest that has a function, "ok".
export const module = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // magic, version
  1, 5, 1, 0x60, 0, 1, 0x7f, // type 0: () → i32
  3, 2, 1, 0, // function 0 has type 0
  7, 6, 1, 2, 0x6f, 0x6b, 0, 0, // it is exported as "ok"
  10, 6, 1, 4, 0, 0x41, 0, 0x0b, // and answers 0
]);

export const manifest = (version: string, more: string) => `schema = 1
id = "weather"
version = "${version}"
description = "The weather"
module = "weather.wasm"
abi = "extism"
${more}

[[tool]]
name = "weather.now"
function = "ok"
description = "The weather now"
side_effect_class = "read"
effect = "read"
`;
