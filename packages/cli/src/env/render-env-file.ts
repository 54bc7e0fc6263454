import type { EnvVariable } from '@sibyl/core'
import { ConfigurationError } from '../errors/configuration-error.ts'
import type { ProjectFacts } from '../scaffold/project-facts.ts'
import { botVariables, commandVariables } from './command-variables.ts'
import { type EnvSection, renderEnvSections, setEntry, unsetByOwner, unsetEntry } from './env-sections.ts'
import { madeSecrets } from './made-secrets.ts'
import { quoteEnvValue } from './quote-env-value.ts'

/**
 * Renders the `.env` of a new project: its own values, the secrets of its oracle and of its messaging bot, and what may be
 * set of the plugins, commented out. It makes the secrets, but for the mnemonic.
 *
 * @param variables Of core and the bundled plugins: `listEnvVariables(bundledPlugins())`.
 * @throws ConfigurationError (`configuration_invalid`) when a value cannot stand in an `.env`, such as one of several lines
 */
export const renderEnvFile = (facts: ProjectFacts, variables: readonly EnvVariable[]): string => {
  const above: readonly EnvSection[] = [
    {
      title: 'The oracle',
      entries: ownValues(facts).map(([name, value]) => set(name, describe(name, variables), value)),
    },
    { title: 'The language model', entries: variables.filter(({ name }) => modelVariables.has(name)).map(unsetEntry) },
    { title: 'Secrets of this oracle alone', entries: secretsOf(facts) },
    { title: 'The messaging bot', entries: botEntries(facts) },
    { title: 'The registry', entries: commandVariables.map(unsetEntry) },
  ]
  const shown = new Set([...madeSecrets.map(({ variable }) => variable), ...botVariables.map(([{ name }]) => name)])
  const ofPlugins = variables.filter(({ name, owner }) => owner !== 'core' && !shown.has(name))
  return renderEnvSections(heading, [...above, ...unsetByOwner(ofPlugins)])
}

const heading = `# The settings of this oracle on this computer. They hold secrets: git ignores this file, and only you may read it.
# .env.example has every variable; \`npx sibyl env check\` looks for mistakes.`

/** What most people set first, of all that core knows. */
const modelVariables: ReadonlySet<string> = new Set(['LLM_PROVIDER', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'])

const ownValues = ({ answers, controllers }: ProjectFacts): [name: string, value: string][] => [
  ['PORT', String(answers.port)],
  ['NETWORK', answers.network],
  ...(isOnThisComputer(answers.apiUrl) ? [] : [['PUBLIC_URL', answers.apiUrl] satisfies [string, string]]),
  ['ORACLE_CONTROLLERS', controllers.join(',')],
]

const isOnThisComputer = (url: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)

const describe = (name: string, variables: readonly EnvVariable[]): string =>
  variables.find(variable => variable.name === name)?.description ?? ''

const secretsOf = ({ mnemonic }: ProjectFacts): string[] =>
  madeSecrets.map(({ variable, description, make }) =>
    set(variable, description, variable === 'ORACLE_MNEMONIC' ? mnemonic : make()),
  )

const botEntries = ({ bot }: ProjectFacts): string[] =>
  botVariables.map(([variable, credential]) =>
    bot ? set(variable.name, variable.description, bot[credential]) : unsetEntry(variable),
  )

const set = (name: string, description: string, value: string): string => {
  const quoted = quoteEnvValue(value)
  if (quoted !== undefined) return setEntry(name, description, quoted)
  const remedy = 'Take one of a single line that does not have all of \' " ` in it.'
  throw new ConfigurationError(`The value for ${name} cannot stand in an .env.`, remedy)
}
