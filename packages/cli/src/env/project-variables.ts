import type { EnvVariable } from '@sibyl/core'
import { botVariables, commandVariables } from './command-variables.ts'

/**
 * Every variable that means something in a project: those of the oracle, then those of the command that no plugin has.
 *
 * @param variables Of core and the plugins.
 */
export const projectVariables = (variables: readonly EnvVariable[]): EnvVariable[] => {
  const names = new Set(variables.map(({ name }) => name))
  const others = [...commandVariables, ...botVariables.map(([variable]) => variable)]
  return [...variables, ...others.filter(({ name }) => !names.has(name))]
}
