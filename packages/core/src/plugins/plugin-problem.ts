import { nearNames } from '@sibyl/plugin'
import type { BootProblem } from '@sibyl/plugin/host'

/** Returns the boot problem of a plugin. @param violation Follows its name in the headline. */
export const pluginProblem = (
  facts: { readonly code: string; readonly plugin: string },
  violation: string,
  ...lines: string[]
): BootProblem => ({ ...facts, headline: `Plugin '${facts.plugin}' ${violation}`, lines })

/** Returns the hint for an unknown name: the known names that are similar, or else another sentence. */
export const hintFor = (name: string, known: readonly string[], otherwise: string): string => {
  const near = nearNames(name, known)
  return near.length > 0 ? `Did you mean ${near.join(' or ')}?` : otherwise
}
