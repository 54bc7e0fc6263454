import type { EnvVariable } from '@sibyl/core'
import { cliErrors } from '../errors/cli-errors.ts'
import { botVariables, commandVariables } from './command-variables.ts'
import { renderEnvSections, setEntry, unsetByOwner, unsetEntry } from './env-sections.ts'
import { madeSecrets } from './made-secrets.ts'
import { quoteEnvValue } from './quote-env-value.ts'

/**
 * Renders an `.env`: the values, and commented out those of the plugins and common settings.
 *
 * @param values By variable; those of core are included only if they are set, except those of the oracle itself.
 * @param variables Of core and the plugins.
 * @throws `configuration_invalid` when a value cannot be written to an `.env`, such as one of several lines
 */
export const renderEnvValues = (
  values: Readonly<Record<string, string>>,
  variables: readonly EnvVariable[],
): string => {
  const isSet = ({ name }: EnvVariable) => Object.hasOwn(values, name)
  const entry = (variable: EnvVariable) =>
    isSet(variable) ? set(variable, values[variable.name]!) : unsetEntry(variable)
  const secrets = madeSecrets.map(({ variable, description }): EnvVariable => {
    const known = variables.find(({ name }) => name === variable)
    return { owner: 'core', takes: 'text', need: 'optional', ...known, name: variable, description, secret: true }
  })
  const bot = botVariables.map(([variable]) => variable)
  const above = new Set([...secrets, ...bot].map(({ name }) => name))
  const isFirst = ({ name }: EnvVariable, place: number) => variables.findIndex(it => it.name === name) === place
  const others = variables.filter(isFirst).filter(({ name }) => !above.has(name))
  const [ofCore, ofPlugins] = [
    others.filter(({ owner }) => owner === 'core'),
    others.filter(({ owner }) => owner !== 'core'),
  ]
  const isOfModel = ({ name }: EnvVariable) => modelVariables.has(name)
  return renderEnvSections(heading, [
    { title: 'The oracle', entries: ofCore.filter(it => isSet(it) && !isOfModel(it)).map(entry) },
    { title: 'The language model', entries: ofCore.filter(isOfModel).map(entry) },
    { title: 'Secrets of this oracle', entries: secrets.map(entry) },
    { title: 'The messaging bot', entries: bot.map(entry) },
    { title: 'The registry', entries: commandVariables.map(entry) },
    ...unsetByOwner(ofPlugins),
  ])
}

const heading = `# The settings of this oracle on this computer. They contain secrets: git ignores this file, and only you can read it.
# .env.example lists every variable; \`npx sibyl env check\` finds mistakes.`

/** The settings of core that are set most often. */
const modelVariables: ReadonlySet<string> = new Set(['LLM_PROVIDER', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'])

const set = ({ name, description }: EnvVariable, value: string): string => {
  const quoted = quoteEnvValue(value)
  if (quoted !== undefined) return setEntry(name, description, quoted)
  const remedy = 'Choose a single line that does not contain all of \' " ` at once.'
  throw cliErrors.configuration_invalid(`The value of ${name} cannot be written to .env.`, remedy)
}
