/** A place in a JSON text. */
interface Open {
  /** The names so far; undefined in a list. */
  readonly names: Set<string> | undefined
  /** The member that is being read. */
  name?: string
}

/**
 * The members that stand more than once in one object, which `JSON.parse` passes over in silence.
 *
 * @param json A text that `JSON.parse` takes.
 * @returns Paths, such as `['mcpServers', 'notes']`.
 */
export const repeatedMembers = (json: string): string[][] => {
  const repeated: string[][] = []
  const open: Open[] = []
  let awaitsName = false
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/g)) {
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
      here.name = JSON.parse(token) as string
      if (here.names.has(here.name)) repeated.push(open.flatMap(({ name }) => name ?? []))
      here.names.add(here.name)
      awaitsName = false
    }
  }
  return repeated
}
