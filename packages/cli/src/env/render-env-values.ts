import type { EnvVariable } from '@sibyl/core'
import { cliErrors } from '../errors/cli-errors.ts'
import { botVariables, commandVariable, commandVariables } from './command-variables.ts'
import { renderEnvSections, setEntry, unsetEntry } from './env-sections.ts'
import { madeSecrets } from './made-secrets.ts'
import { quoteEnvValue } from './quote-env-value.ts'

/**
 * Renders an `.env`: the values, and commented out the settings that are changed most often; `.env.example` has all.
 *
 * @param values By variable.
 * @param variables Of core and the plugins.
 * @throws `configuration_invalid` when a value cannot be written to an `.env`, such as one of several lines
 */
export const renderEnvValues = (
  values: Readonly<Record<string, string>>,
  variables: readonly EnvVariable[],
): string => {
  const isSet = ({ name }: EnvVariable) => Object.hasOwn(values, name)
  const entry = (variable: EnvVariable) => set(variable, values[variable.name]!)
  const secrets = madeSecrets.map(
    ({ variable, description }): EnvVariable =>
      commandVariable(variable, description, { ...variables.find(({ name }) => name === variable), description }),
  )
  const bot = botVariables.map(([variable]) => variable)
  const elsewhere = new Set([...secrets, ...bot, ...commandVariables].map(({ name }) => name))
  const own = variables.filter(({ name }, place) => variables.findIndex(it => it.name === name) === place)
  const often = oftenChanged.flatMap(name => [...own, ...bot].find(it => it.name === name) ?? [])
  return renderEnvSections(heading, [
    { title: 'The oracle', entries: own.filter(it => isSet(it) && !elsewhere.has(it.name)).map(entry) },
    { title: 'Secrets of this oracle', entries: secrets.filter(isSet).map(entry) },
    { title: 'The messaging bot', entries: bot.filter(isSet).map(entry) },
    { title: 'The registry', entries: commandVariables.filter(isSet).map(entry) },
    { title: 'Often changed', entries: often.filter(it => !isSet(it)).map(unsetEntry) },
  ])
}

const heading = `# The settings of this oracle on this computer. They contain secrets: git ignores this file, and only you can read it.
# .env.example lists all variables; copy a line from there. \`npx sibyl env check\` finds mistakes.`

const oftenChanged = [
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'LLM_PROVIDER',
  'DATABASE_URL',
  'PUBLIC_URL',
  'ORACLE_ACCESS',
  'ORACLE_API_KEYS',
  'LOG_LEVEL',
  'MATRIX_BASE_URL',
  'MEMORY_MCP_URL',
] as const

const set = ({ name, description }: EnvVariable, value: string): string => {
  const quoted = quoteEnvValue(value)
  if (quoted !== undefined) return setEntry(name, description, quoted)
  const remedy = 'Choose a single line that does not contain all of \' " ` at once.'
  throw cliErrors.configuration_invalid(`The value of ${name} cannot be written to .env.`, remedy)
}
