import type { BootProblem } from '@sibyl/plugin/host'

/** The dependencies of a plugin for ordering. */
export interface Dependencies {
  readonly name: string
  readonly requires: readonly string[]
  readonly uses: readonly string[]
}

/**
 * Orders each plugin after those it requires or uses, and otherwise keeps the order of the list. A `uses` that would
 * create a cycle is ignored; a cycle of `requires` is a problem.
 */
export const orderPlugins = <Plugin extends Dependencies>(
  plugins: readonly Plugin[],
): { readonly ordered: readonly Plugin[]; readonly problems: readonly BootProblem[] } => {
  const before = new Map(plugins.map(plugin => [plugin.name, new Set<string>()]))
  const link = (name: string, dependency: string) => {
    if (before.has(dependency)) before.get(name)?.add(dependency)
  }
  for (const { name, requires } of plugins) for (const dependency of requires) link(name, dependency)
  for (const { name, uses } of plugins) {
    for (const used of uses) if (!pathBetween(used, name, before)) link(name, used)
  }
  const ordered: Plugin[] = []
  const waiting = new Set(plugins)
  const isReady = ({ name }: Plugin) =>
    [...(before.get(name) ?? [])].every(other => ordered.some(one => one.name === other))
  for (;;) {
    const next = [...waiting].find(isReady)
    if (!next) break
    ordered.push(next)
    waiting.delete(next)
  }
  return { ordered, problems: circles([...waiting], before) }
}

const circles = (stuck: readonly Dependencies[], before: ReadonlyMap<string, ReadonlySet<string>>): BootProblem[] => {
  const reported = new Set<string>()
  return stuck.flatMap(({ name, requires }) => {
    if (reported.has(name)) return []
    const paths = requires.map(dependency => pathBetween(dependency, name, before)).filter(path => path !== undefined)
    const path = paths.sort((one, other) => one.length - other.length)[0]
    if (!path) return []
    for (const member of path) reported.add(member)
    const circle = [name, ...path].map(member => `'${member}'`).join(' → ')
    return [
      {
        code: 'plugin_cycle',
        headline: `Plugins require each other in a cycle: ${circle}`,
        lines: ['Move one of them from requires to uses: uses affects only the order.'],
        plugin: name,
      },
    ]
  })
}

/** Returns the shortest path along dependencies from one plugin to another, both included, if any. */
const pathBetween = (
  from: string,
  to: string,
  before: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] | undefined => {
  const seen = new Set([from])
  const queue: string[][] = [[from]]
  for (let path = queue.shift(); path; path = queue.shift()) {
    const last = path.at(-1)!
    if (last === to) return path
    for (const next of before.get(last) ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      queue.push([...path, next])
    }
  }
  return undefined
}
