/** Sorts packages so that each comes after the packages of the release that it depends on. */
export const inOrder = packages => {
  const byName = new Map(packages.map(each => [each.manifest.name, each]))
  const sorted = new Set()
  const add = each => {
    for (const name of Object.keys(each.manifest.dependencies ?? {})) {
      const dependency = byName.get(name)
      if (dependency && !sorted.has(dependency)) add(dependency)
    }
    sorted.add(each)
  }
  for (const name of [...byName.keys()].sort()) add(byName.get(name))
  return [...sorted]
}
