import { bundledPlugins } from '@sibyl/bundle'
import { type EnvVariable, listEnvVariables } from '@sibyl/core'
import { expect, test } from 'vitest'
import { notebook } from './plugins/notebook.ts'
import { type OwnSecret, ownSecrets } from './start/own-secrets.ts'

const heading = `# Every variable of this oracle. Put what you want to change into .env, without the # in front.
# The environment goes before .env, .env before oracle.config.json; what is blank counts as not set.
# This file follows from the sources: npx -y pnpm@12 test examples/quickstart -u`

const section = (title: string, entries: readonly string[]) => `## ${title}\n\n${entries.join('\n\n')}`

const entryOf = ({ name, description, takes, need, secret, default: usual, example }: EnvVariable) => {
  const facts = [
    takes === 'text' ? '' : takes,
    need === 'optional' ? '' : need,
    usual === undefined ? '' : `default: ${usual}`,
  ].filter(Boolean)
  const value = secret ? '' : (example ?? (takes === 'text' ? '' : usual) ?? '')
  const words = description.endsWith('.') ? description : `${description}.`
  return [`# ${words}`, ...(facts.length > 0 ? [`# ${facts.join('; ')}`] : []), `# ${name}=${value}`].join('\n')
}

const secretOf = ({ variable, description }: OwnSecret) => `# ${description}\n# ${variable}=`

test('.env.example has every variable with its description', async () => {
  const made = new Set(ownSecrets.map(({ variable }) => variable))
  const variables = listEnvVariables([...bundledPlugins(), notebook()]).filter(({ name }) => !made.has(name))
  const sections = [...Map.groupBy(variables, ({ owner }) => owner)].map(([owner, own]) =>
    section(owner === 'core' ? 'The oracle' : `Plugin ${owner}`, own.map(entryOf)),
  )
  const secrets = section('Made by the first run', ownSecrets.map(secretOf))
  await expect([heading, secrets, ...sections, ''].join('\n\n')).toMatchFileSnapshot('../.env.example')
})
