/**
 * Finds import cycles among files or folders, each of them in at most one of those reported.
 *
 * @param imports For each file the files it imports.
 * @returns Each cycle as its files in order; the last one imports the first.
 */
export const findCycles = (imports: ReadonlyMap<string, readonly string[]>): string[][] => {
  const cycles: string[][] = []
  let rest = withoutLeaves(imports)
  while (rest.size > 0) {
    const cycle = followToRepeat(rest)
    cycles.push(cycle)
    rest = withoutLeaves(new Map([...rest].filter(([file]) => !cycle.includes(file))))
  }
  return cycles
}

/** Takes files away until every one left imports another one left. */
const withoutLeaves = (imports: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> => {
  const rest = new Map([...imports].map(([file, targets]) => [file, targets.filter(target => imports.has(target))]))
  const kept = new Map([...rest].filter(([, targets]) => targets.length > 0))
  return kept.size === imports.size ? rest : withoutLeaves(kept)
}

/** Follows first imports from the first file until one comes again; every file must import one. */
const followToRepeat = (imports: ReadonlyMap<string, readonly string[]>): string[] => {
  const path: string[] = []
  let next = imports.keys().next().value as string
  while (!path.includes(next)) {
    path.push(next)
    next = imports.get(next)?.[0] as string
  }
  return path.slice(path.indexOf(next))
}
