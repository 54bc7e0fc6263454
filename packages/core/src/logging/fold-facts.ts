import type { AdapterFact, BootFact, ExcludedFact, PluginFact } from './boot-facts.ts'

/** Returns facts of a boot with one line for the plugins of each kind, for a terminal. */
export const foldFacts = (facts: readonly BootFact[]): BootFact[] => {
  const lists = Object.groupBy(facts.filter(isListed), ({ kind }) => kind)
  return facts.flatMap((fact): BootFact[] => {
    if (!isListed(fact)) return [fact]
    const { kind } = fact
    const listed = lists[kind] ?? []
    return fact === listed[0] ? [{ kind: 'list', of: kind, names: listed.map(nameOf) }] : []
  })
}

type ListedFact = PluginFact | AdapterFact | ExcludedFact

const isListed = (fact: BootFact): fact is ListedFact =>
  ['loaded', 'available', 'adapter', 'excluded'].includes(fact.kind)

const nameOf = (fact: ListedFact): string => {
  if (fact.kind === 'adapter') return fact.endpoint
  const detail = fact.kind === 'excluded' ? fact.variable : fact.detail
  return detail === undefined ? fact.plugin : `${fact.plugin} (${detail})`
}
