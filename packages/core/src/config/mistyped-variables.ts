import { editDistance } from '@sibyl/plugin'
import { type Environment, settingOf } from './environment.ts'

/** How many characters may differ, in a name of at least so many: short ones are near each other by chance. */
const maxDistance = 2
const shortestName = 8

/** The variables that are set, that nobody reads, and whose names are all but those of variables that somebody reads. */
export const mistypedVariables = (
  env: Environment,
  known: readonly string[],
): { readonly name: string; readonly meant: string }[] => {
  const read = new Set(known)
  return Object.keys(env)
    .filter(name => name.length >= shortestName && !read.has(name) && settingOf(env, name) !== undefined)
    .flatMap(name => {
      const meant = known.find(one => one.length >= shortestName && editDistance(name, one) <= maxDistance)
      return meant === undefined ? [] : [{ name, meant }]
    })
}
