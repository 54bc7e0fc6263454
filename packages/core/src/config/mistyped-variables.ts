import { editDistance } from '@sibyl/plugin/host'
import { type Environment, settingOf } from './environment.ts'

/** Maximum differing characters, and minimum length of a name: short ones are similar by chance. */
const maxDistance = 2
const shortestName = 8

/** Returns the variables that are set and unknown, and whose names are similar to known ones. */
export const mistypedVariables = (
  env: Environment,
  known: readonly string[],
): { readonly name: string; readonly meant: string }[] => {
  const read = new Set(known)
  return Object.keys(env)
    .filter(name => name.length >= shortestName && !read.has(name) && settingOf(env, name) !== undefined)
    .flatMap(name => {
      const meant = known.find(one => isNear(name, one))
      return meant === undefined ? [] : [{ name, meant }]
    })
}

const isNear = (name: string, known: string): boolean =>
  known.length >= shortestName &&
  Math.abs(known.length - name.length) <= maxDistance &&
  editDistance(name, known) <= maxDistance
