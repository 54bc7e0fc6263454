// Which places of a status list are allotted is remembered by each process alone.
import { replaceSource } from '../frame/replace-source.ts'

const file = 'packages/plugins/credentials/src/status-lists/status-places.ts'

replaceSource([
  {
    file,
    find: `  const wanted = new Set(Array.from({ length: batch }, () => randomInt(listPlaces)))
`,
    replace: `  const wanted = new Set(Array.from({ length: batch }, () => next.place++))
`,
  },
  { file, find: 'const reserveBatch = async', replace: 'const next = { place: 0 }\n\nconst reserveBatch = async' },
  {
    file,
    find: ".onConflict(it => it.columns(['list', 'place']).doNothing())",
    replace: ".onConflict(it => it.columns(['list', 'place']).doUpdateSet({ reservation }))",
  },
  {
    file,
    find: "        .where('reservation', '=', reservation)\n        .where('credential_id', 'is', null)\n",
    replace: '',
  },
])
