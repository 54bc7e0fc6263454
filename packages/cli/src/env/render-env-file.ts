import { bundledPlugins } from '@sibyl/bundle'
import { listEnvVariables } from '@sibyl/core'
import { ConfigurationError } from '../errors/configuration-error.ts'
import type { ProjectFacts } from '../scaffold/project-facts.ts'
import { botVariables } from './bot-variables.ts'
import { renderEnvSections, setEntry, unsetByOwner, unsetEntry } from './env-sections.ts'
import { madeSecrets } from './made-secrets.ts'
import { quoteEnvValue } from './quote-env-value.ts'

/**
 * Renders the `.env` of a new project: its own values, the secrets of its oracle and of its messaging bot, and what may be
 * set of the bundled plugins, commented out. It makes the secrets, but for the mnemonic.
 *
 * @throws ConfigurationError (`configuration_invalid`) when a value cannot stand in an `.env`, such as one of several lines
 */
export const renderEnvFile = (facts: ProjectFacts): string => {
  const variables = listEnvVariables(bundledPlugins())
  const descriptions = new Map(variables.map(({ name, description }) => [name, description]))
  const bot = facts.bot
  const set = (name: string, value: string, description = descriptions.get(name) ?? '') =>
    setEntry(name, description, quoted(name, value))
  const own = ownValues(facts)
  const secrets = madeSecrets.map(({ variable, description, make }) =>
    set(variable, variable === 'ORACLE_MNEMONIC' ? facts.mnemonic : make(), description),
  )
  const botEntries = botVariables.map(({ name, description, credential }) =>
    bot ? set(name, bot[credential], description) : `# ${description}\n# ${name}=`,
  )
  const above = new Set([
    ...Object.keys(own),
    ...madeSecrets.map(it => it.variable),
    ...botVariables.map(it => it.name),
  ])
  return renderEnvSections(heading, [
    { title: 'The oracle', entries: Object.entries(own).map(([name, value]) => set(name, value)) },
    {
      title: 'The language model',
      entries: variables.filter(({ name }) => modelVariables.includes(name)).map(unsetEntry),
    },
    { title: 'Secrets of this oracle alone', entries: secrets },
    { title: 'The messaging bot', entries: botEntries },
    ...unsetByOwner(variables.filter(({ name, owner }) => owner !== 'core' && !above.has(name))),
  ])
}

const heading = `# The settings of this oracle on this computer. It holds secrets: git ignores it, and only you may read it.
# .env.example has every variable; \`npx sibyl env check\` looks for mistakes.`

/** What most people set first, of all that core knows. */
const modelVariables = ['LLM_PROVIDER', 'OPENAI_API_KEY', 'OPENAI_BASE_URL']

const ownValues = ({ answers, controllers }: ProjectFacts): Readonly<Record<string, string>> => ({
  PORT: String(answers.port),
  NETWORK: answers.network,
  ...(isOnThisComputer(answers.apiUrl) ? {} : { PUBLIC_URL: answers.apiUrl }),
  ORACLE_CONTROLLERS: controllers.join(','),
})

const isOnThisComputer = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

const quoted = (name: string, value: string): string => {
  const text = quoteEnvValue(value)
  if (text !== undefined) return text
  throw new ConfigurationError(
    `The value of ${name} cannot stand in an .env.`,
    'Take one without line breaks, and without all of \' " ` at once.',
  )
}
