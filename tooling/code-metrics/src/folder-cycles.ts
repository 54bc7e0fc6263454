import { posix } from 'node:path'

/**
 * Finds groups of folders that import each other, directly or through others.
 *
 * @param imports For each file the files that it imports, by paths with forward slashes.
 * @returns The folders of each group, sorted; a folder without a cycle is in none.
 */
export const folderCycles = (imports: ReadonlyMap<string, readonly string[]>): string[][] => {
  const edges = new Map<string, Set<string>>()
  for (const [file, targets] of imports) {
    const from = posix.dirname(file)
    const reached = edges.get(from) ?? new Set()
    edges.set(from, reached)
    for (const target of targets) if (posix.dirname(target) !== from) reached.add(posix.dirname(target))
  }
  const reachable = new Map([...edges.keys()].map(folder => [folder, reach(folder, edges)]))
  const groups = new Map<string, string[]>()
  for (const folder of [...edges.keys()].sort()) {
    const group = [...(reachable.get(folder) ?? [])].filter(other => reachable.get(other)?.has(folder)).sort()
    if (group.includes(folder)) groups.set(group.join(' '), group)
  }
  return [...groups.values()]
}

const reach = (from: string, edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> => {
  const found = new Set<string>()
  const follow = (folder: string): void => {
    for (const next of edges.get(folder) ?? []) {
      if (found.has(next)) continue
      found.add(next)
      follow(next)
    }
  }
  follow(from)
  return found
}
