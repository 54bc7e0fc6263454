/** An object or list of a JSON text that is being read. */
interface Open {
  /** The names so far; undefined in a list. */
  readonly names: Set<string> | undefined
  /** The member that is being read. */
  name?: string
}

/** The texts and marks of a JSON text: all that says which names belong to which object. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g

/**
 * Finds the members that an object names more than once. `JSON.parse` takes the last of them in silence, other parsers the
 * first. Names are compared as they are meant: `"a"` and `"\u0061"` are the same.
 *
 * @param json A text that `JSON.parse` takes.
 * @returns paths, such as `['mcpServers', 'notes']`, one by one
 */
export function* repeatedMembers(json: string): Generator<string[], void> {
  const open: Open[] = []
  let awaitsName = false
  for (const [token] of json.matchAll(tokens)) {
    const here = open.at(-1)
    if (token === '{' || token === '[') {
      awaitsName = token === '{'
      open.push({ names: awaitsName ? new Set() : undefined })
    } else if (token === '}' || token === ']') {
      open.pop()
      awaitsName = false
    } else if (token === ',') {
      awaitsName = here?.names !== undefined
    } else if (awaitsName && here?.names) {
      here.name = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
      if (here.names.has(here.name)) yield open.flatMap(({ name }) => name ?? [])
      here.names.add(here.name)
      awaitsName = false
    }
  }
}
