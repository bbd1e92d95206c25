// Recipes of somebody's: one that asks for two things, one that is ready, one that can't be read.

import type { Home } from './program.ts';

export function keepRecipes(home: Home): void {
  const keep = (name: string, text: string) => home.file(`.config/errand/recipes/${name}.toml`, text);
  keep(
    'trip',
    `schema = 1
name = "trip"
description = "Make a folder for a trip, with a list in it"

[params.place]
description = "where it goes"
pattern = '[\\p{L} -]+'
[params.days]
type = "int"
default = 3

[[step]]
tool = "files.create_folder"
args = { path = "~/Documents/{place}" }

[[step]]
tool = "files.create_file"
args = { path = "~/Documents/{place}/packing.txt", content = "For {days} days in {place}" }
`,
  );
  keep('reports', 'schema = 1\nname = "reports"\ndescription = "A folder for reports"\n\n[[step]]\ntool = "files.create_folder"\nargs = { path = "~/Documents/Reports" }\n');
  keep('spoilt', 'schema = 1\nnam = "spoilt"\n');
}
