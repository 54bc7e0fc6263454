import { parseEnv } from 'node:util'
import { bundledPlugins } from '@sibyl/bundle'
import { listEnvVariables } from '@sibyl/core'
import { parseMnemonic } from '@sibyl/identity'
import { expect, test } from 'vitest'
import { botVariables } from '../../env/command-variables.ts'
import { madeSecrets } from '../../env/made-secrets.ts'
import type { ProjectFacts } from '../answers/project-facts.ts'
import { emptyPackages } from '../packages/fake-packages.test.helper.ts'
import { renderEnvFile } from '../render-project.ts'

const variables = listEnvVariables(bundledPlugins())
const words = madeSecrets[0]?.make() ?? ''

const facts = ({
  bot,
  ...answers
}: Partial<ProjectFacts['answers']> & Pick<Partial<ProjectFacts>, 'bot'> = {}): ProjectFacts => ({
  answers: {
    folder: '/somewhere',
    template: 'minimal',
    signing: 'mnemonic',
    network: 'devnet',
    profile: { name: 'Field Oracle', description: 'Answers.', price: 'free', model: 'offline' },
    apiUrl: 'http://localhost:4000',
    port: 3000,
    matrixBaseUrl: undefined,
    packageManager: 'npm',
    register: true,
    git: false,
    ...answers,
  },
  mnemonic: words,
  entityDid: undefined,
  controllers: ['did:key:z6MkA', 'did:key:z6MkB'],
  bot,
  packages: emptyPackages(),
})

const bot = {
  baseUrl: 'https://matrix.example.org',
  userId: '@field-oracle:matrix.example.org',
  password: 'p#a"s s\'',
  accessToken: 'syt_token',
  accountRoomId: '!abc:matrix.example.org',
}

test('sets the oracle’s own values, creates its secrets, and leaves the rest unset', () => {
  const set = parseEnv(renderEnvFile(facts(), variables))
  const names = ['PORT', 'NETWORK', 'ORACLE_CONTROLLERS', ...madeSecrets.map(({ variable }) => variable)]
  expect(Object.keys(set).toSorted()).toEqual(names.toSorted())
  expect(set).toMatchObject({ PORT: '3000', NETWORK: 'devnet', ORACLE_CONTROLLERS: 'did:key:z6MkA,did:key:z6MkB' })
  expect(set.ORACLE_MNEMONIC).toBe(words)
})

test('comments out the ten settings that are changed most often, and no others', () => {
  const text = renderEnvFile(facts(), variables)
  const unset = [...text.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(unset).toHaveLength(10)
  expect(unset).toEqual(expect.arrayContaining(['OPENAI_API_KEY', 'DATABASE_URL', 'PUBLIC_URL']))
  expect(text.split('\n').length).toBeLessThan(85)
})

test('the oracle accepts the file', async () => {
  const { testApp } = await import('@sibyl/testing')
  const env = parseEnv(renderEnvFile(facts(), variables)) as Record<string, string>
  await using oracle = await testApp({ plugins: bundledPlugins(), env })
  const excluded = oracle.app.plugins().filter(({ state }) => state === 'excluded')
  expect(excluded.map(({ variable }) => variable)).toEqual([
    'SMS_PROVIDER',
    'MATRIX_BASE_URL',
    'MEMORY_MCP_URL',
    'FIRECRAWL_MCP_URL',
    'SANDBOX_MCP_URL',
  ])
  expect(await parseMnemonic(words)).toMatchObject({ ok: true })
})

test('creates new secrets for each project', () => {
  const [one, two] = [facts(), facts()].map(it => parseEnv(renderEnvFile(it, variables)))
  for (const { variable } of madeSecrets.slice(1)) expect(one?.[variable]).not.toBe(two?.[variable])
})

test('the bot’s credentials are read back unchanged', () => {
  expect(parseEnv(renderEnvFile(facts({ bot }), variables))).toMatchObject({
    MATRIX_BASE_URL: bot.baseUrl,
    MATRIX_ORACLE_ADMIN_USER_ID: bot.userId,
    MATRIX_ORACLE_ADMIN_PASSWORD: bot.password,
    MATRIX_ORACLE_ADMIN_ACCESS_TOKEN: bot.accessToken,
    MATRIX_ORACLE_ACCOUNT_ROOM_ID: bot.accountRoomId,
  })
})

test('a public address is the oracle’s public one', () => {
  const set = parseEnv(renderEnvFile(facts({ apiUrl: 'https://oracle.example.org' }), variables))
  expect(set.PUBLIC_URL).toBe('https://oracle.example.org')
})

test('contains the named registry', () => {
  const answers = { registryUrl: 'https://entities.example.org', rpcUrl: 'https://rpc.example.org' }
  expect(parseEnv(renderEnvFile(facts(answers), variables))).toMatchObject({
    REGISTRY_URL: answers.registryUrl,
    CHAIN_RPC_URL: answers.rpcUrl,
  })
})

test('a value that cannot be written is an error that does not show it', () => {
  const broken = facts({ bot: { ...bot, password: 'hush\nhush' } })
  expect(() => renderEnvFile(broken, variables)).toThrow(expect.objectContaining({ code: 'configuration_invalid' }))
  expect(() => renderEnvFile(broken, variables)).toThrow(/^The value of MATRIX_ORACLE_ADMIN_PASSWORD cannot be written/)
})

test('the variables of the messaging bot are those of the matrix plugin', () => {
  for (const [{ name, description, secret, example }] of botVariables) {
    const known = variables.find(variable => variable.name === name)
    expect(known, name).toMatchObject({ owner: 'matrix', secret, example })
    expect(known?.description.startsWith(description.replace(/\.$/, '')), name).toBe(true)
  }
})
