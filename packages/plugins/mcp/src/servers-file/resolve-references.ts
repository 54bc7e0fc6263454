/** A value that a reference stood for. */
export interface ResolvedReference {
  /** The member where it stands, such as `['env', 'TOKEN']`. */
  readonly path: readonly string[]
  readonly value: string
}

/** Members of a server with their references filled in. */
export interface Resolved {
  readonly value: unknown
  readonly references: readonly ResolvedReference[]
  readonly faults: readonly { readonly path: readonly string[]; readonly fault: string }[]
}

const reference = /\$\{([^}]*)\}/g
const known = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s

/** The deepest that the members of a server are nested. */
const maxDepth = 12

/**
 * Fills in `${NAME}`, `${env:NAME}` and `${NAME:-what holds where it is not set}` in every text. What is filled in is not
 * looked at again.
 *
 * @param variable The value of a variable; undefined where there is none for a file.
 */
export const resolveReferences = (given: unknown, variable: (name: string) => string | undefined): Resolved => {
  const references: ResolvedReference[] = []
  const faults: { path: readonly string[]; fault: string }[] = []

  const resolveText = (text: string, path: readonly string[]): string =>
    text.replace(reference, (whole, inside: string) => {
      const [, name, otherwise] = known.exec(inside) ?? []
      if (name === undefined) {
        const shown = whole.slice(0, 40)
        faults.push({ path, fault: `It has '${shown}', which is no reference: write \${NAME} or \${NAME:-default}.` })
        return ''
      }
      const value = variable(name)
      if (value !== undefined) references.push({ path, value })
      else if (otherwise === undefined) faults.push({ path, fault: notSet(name) })
      return value ?? otherwise ?? ''
    })

  const resolve = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') return resolveText(value, path)
    if (typeof value !== 'object' || value === null || path.length > maxDepth) return value
    if (Array.isArray(value)) return value.map((item, index) => resolve(item, [...path, String(index)]))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item, [...path, name])]))
  }

  return { value: resolve(given, []), references, faults }
}

const notSet = (name: string): string =>
  `It names \${${name}}, which is not set, or a secret of the oracle's own. Set it in .env, or write \${${name}:-default}.`
