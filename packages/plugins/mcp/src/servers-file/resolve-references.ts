export interface ResolvedReference {
  /** Path of the member, such as `['env', 'TOKEN']`. */
  readonly path: readonly string[]
  readonly value: string
}

/** Members of a server with resolved references. */
export interface Resolved {
  readonly value: unknown
  readonly references: readonly ResolvedReference[]
  readonly faults: readonly { readonly path: readonly string[]; readonly fault: string }[]
}

const reference = /\$\{([^}]*)\}/g
const known = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s

/** Maximum nesting depth of a server's members. */
const maxDepth = 12

/**
 * Resolves `${NAME}`, `${env:NAME}` and `${NAME:-default}` in every string. Inserted values are not resolved again.
 *
 * @param variable Returns the value of a variable; undefined if it is unset or not available to a file.
 */
export const resolveReferences = (given: unknown, variable: (name: string) => string | undefined): Resolved => {
  const references: ResolvedReference[] = []
  const violations: { path: readonly string[]; fault: string }[] = []

  const resolveText = (text: string, path: readonly string[]): string =>
    text.replace(reference, (whole, inside: string) => {
      const [, name, otherwise] = known.exec(inside) ?? []
      if (name === undefined) {
        const shown = whole.slice(0, 40)
        violations.push({
          path,
          fault: `It contains '${shown}', which is not a valid reference. Write \${NAME} or \${NAME:-default}.`,
        })
        return ''
      }
      const value = variable(name)
      if (value !== undefined) references.push({ path, value })
      else if (otherwise === undefined) violations.push({ path, fault: notSet(name) })
      return value ?? otherwise ?? ''
    })

  const resolve = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') return resolveText(value, path)
    if (typeof value !== 'object' || value === null || path.length > maxDepth) return value
    if (Array.isArray(value)) return value.map((item, index) => resolve(item, [...path, String(index)]))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item, [...path, name])]))
  }

  return { value: resolve(given, []), references, faults: violations }
}

const notSet = (name: string): string =>
  `It uses \${${name}}, which is unset or is a secret of the oracle itself. Set it in .env, or write \${${name}:-default}.`
