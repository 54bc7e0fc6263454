import type { EnvVariable } from '@sibyl/core'
import type { MadeSecret } from '@sibyl/core/start'
import { renderEnvSections, unsetByOwner } from './env-sections.ts'
import { madeSecrets } from './made-secrets.ts'

/** Options for the header of an `.env.example` and its generated secrets. */
export interface EnvExampleOptions {
  /** The command that generates the file. */
  readonly origin: string
  readonly madeTitle: string
  readonly made: readonly MadeSecret[]
}

const ofProject: EnvExampleOptions = {
  origin: 'Generated from the plugins by: npx sibyl env example --write',
  madeTitle: 'Created by sibyl new; sibyl env init adds missing secrets',
  made: madeSecrets,
}

/**
 * Renders an `.env.example`: every variable with its description, commented out, without secrets.
 *
 * @param variables In the order of their owners.
 * @param options @default those of a user project
 */
export const renderEnvExample = (
  variables: readonly EnvVariable[],
  { origin, madeTitle, made }: EnvExampleOptions = ofProject,
): string => {
  const madeNames = new Set(made.map(({ variable }) => variable))
  const secrets = made.map(({ variable, description }) => `# ${description}\n# ${variable}=`)
  return renderEnvSections(`${heading}\n# ${origin}`, [
    { title: madeTitle, entries: secrets },
    ...unsetByOwner(variables.filter(({ name }) => !madeNames.has(name))),
  ])
}

const heading = `# Every variable of this oracle. To change one, copy its line to .env without the leading #.
# The environment overrides .env, and .env overrides oracle.config.json; a blank value counts as unset.`
