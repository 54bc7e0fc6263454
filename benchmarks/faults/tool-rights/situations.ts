import type { Random } from '../frame/random.ts'

/** The abilities that a caller holds in a trial. */
export type Situation = readonly string[]

const send = 'chat/send'
const namespaceOf = (ability: string) => ability.slice(0, ability.indexOf('/'))

/**
 * Lists what callers may hold: the usual grants; each ability alone, and with all of its namespace; another one of its
 * namespace; all but that one; and all without the right to send messages.
 *
 * @param abilities All that tools name.
 */
export const allSituations = (abilities: readonly string[]): { usual: Situation[]; others: Situation[] } => {
  const named = [...new Set(abilities)].filter(ability => ability !== send)
  const namespaces = [...new Set(named.map(namespaceOf))].filter(namespace => namespace !== 'chat')
  return {
    usual: [[send], [send, 'chat/personal'], ['chat/*'], ['*']],
    others: [
      named,
      ...named.map(ability => [send, ability]),
      ...namespaces.map(namespace => [send, `${namespace}/*`]),
      ...namespaces.map(namespace => [send, `${namespace}/other`, `${namespace}s/*`]),
      ...named.map(ability => [send, ...named.filter(one => one !== ability && one !== 'chat/personal')]),
      ...named.map(ability => [ability]),
    ],
  }
}

/** Picks as many situations as wanted: the usual ones first, then others at random, each at most once. */
export const pickSituations = (abilities: readonly string[], count: number, random: Random): Situation[] => {
  const { usual, others } = allSituations(abilities)
  const rest = [...others]
  const picked = usual.slice(0, count)
  while (picked.length < count && rest.length > 0) picked.push(...rest.splice(random.integer(0, rest.length - 1), 1))
  return picked
}
