import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProjectFacts } from './answers/project-facts.ts'
import { type ScaffoldAnswers, templateNames } from './answers/scaffold-answers.ts'
import { emptyPackages, fakePackages } from './packages/fake-packages.test.helper.ts'
import { findPackages } from './packages/find-packages.ts'
import { renderProject } from './render-project.ts'

const mnemonic = 'abandon '.repeat(23).concat('art')

const answers: ScaffoldAnswers = {
  folder: '/projects/Ärzte & Wetter',
  template: 'minimal',
  signing: 'mnemonic',
  network: 'devnet',
  profile: { name: 'Ärzte "Wetter" | #1', description: 'Tells `the` weather.', price: 'free', model: 'offline' },
  apiUrl: 'http://localhost:4000',
  port: 3000,
  matrixBaseUrl: undefined,
  packageManager: 'npm',
  register: false,
  git: false,
}
const render = async (changed: Partial<ScaffoldAnswers> = {}, facts: Partial<ProjectFacts> = {}) => {
  const files = await renderProject({
    answers: { ...answers, ...changed },
    mnemonic,
    entityDid: undefined,
    controllers: ['did:key:z6MkController'],
    bot: undefined,
    packages: emptyPackages(),
    ...facts,
  })
  const text = (path: string) => String(files.find(file => file.path === path)?.content)
  return { files, text, json: (path: string) => JSON.parse(text(path)) }
}

let folder: string
beforeAll(async () => {
  folder = await fakePackages(await mkdtemp(join(tmpdir(), 'sibyl-render-')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const tarballs = (changed: Partial<ScaffoldAnswers>) =>
  findPackages({ ...answers, ...changed }, { env: { SIBYL_PACKAGES: folder }, cwd: '/' }, (_name, work) =>
    work(() => {}),
  )

describe.each(templateNames)('the template %s', template => {
  test('becomes a project of its own, with whole versions', async () => {
    const { files, json } = await render({ template })
    const paths = files.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths).toEqual(
      expect.arrayContaining([
        '.env',
        '.env.example',
        '.gitignore',
        'AGENTS.md',
        'Dockerfile',
        'README.md',
        'deploy/Caddyfile',
        'deploy/compose.yaml',
        'deploy/kubernetes.yaml',
        'deploy/oracle.service',
        'src/main.ts',
      ]),
    )
    expect(paths.some(path => path.startsWith('src/plugins/'))).toBe(true)
    expect(paths.some(path => path.endsWith('.test.ts'))).toBe(true)
    const { name, private: isPrivate, dependencies, devDependencies } = json('package.json')
    expect({ name, isPrivate }).toEqual({ name: 'arzte-wetter', isPrivate: true })
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^(\d+\.\d+\.\d+|file:vendor\/sibyl-[a-z-]+-\d+\.\d+\.\d+\.tgz)$/)
  })

  test('declares the packages that plugins import, so that pnpm finds them', async () => {
    const { dependencies } = (await render({ template, packageManager: 'pnpm' })).json('package.json')
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['@sibyl/core', '@sibyl/protocol', 'zod']))
  })

  test('registers its plugins where others can be added', async () => {
    const { text } = await render({ template })
    expect(text('src/main.ts')).toMatch(
      /^import .*\n\n.*plugins: \[\.\.\.bundledPlugins\(\).*\], adapters: bundledAdapters\(\) }\)$/ms,
    )
  })
})

test('puts secrets into .env, for the owner only, and nowhere else', async () => {
  const { files, text } = await render()
  const secrets = parseEnv(text('.env'))
  expect(secrets).toMatchObject({ ORACLE_MNEMONIC: mnemonic, ORACLE_CONTROLLERS: 'did:key:z6MkController' })
  const { mode } = files.find(({ path }) => path === '.env') ?? {}
  expect(mode).toBe(0o600)
  const others = files.filter(({ path }) => path !== '.env').map(({ content }) => String(content))
  for (const name of ['ORACLE_MNEMONIC', 'PIN_ENCRYPTION_KEY', 'USSD_OPERATOR_TOKEN', 'ORACLE_OPERATOR_TOKEN']) {
    expect(secrets[name]).toBeTruthy()
    expect(others.filter(text => text.includes(secrets[name]!))).toEqual([])
  }
  expect(text('.gitignore').split('\n')).toContain('.env')
})

test('writes the answers to oracle.config.json', async () => {
  expect((await render()).json('oracle.config.json')).toEqual({
    $schema: './node_modules/@sibyl/core/oracle.config.schema.json',
    name: 'Ärzte "Wetter" | #1',
    description: 'Tells `the` weather.',
    model: 'offline',
    prompt: expect.any(String),
    price: 'free',
    network: 'devnet',
  })
  const profile = { ...answers.profile, model: 'gpt-5.2' }
  const { json, text } = await render({ profile, network: 'testnet' }, { entityDid: 'did:ixo:entity:4f' })
  expect(json('oracle.config.json')).toMatchObject({
    model: 'gpt-5.2',
    network: 'testnet',
    entityDid: 'did:ixo:entity:4f',
  })
  expect(text('README.md')).toContain('registered on testnet as `did:ixo:entity:4f`')
})

test('escapes markup in texts of the user in the README', async () => {
  const { text } = await render()
  expect(text('README.md').split('\n').slice(0, 3)).toEqual([
    '# Ärzte "Wetter" \\| \\#1',
    '',
    'Tells \\`the\\` weather.',
  ])
})

test.each([
  ['- a list', '\\- a list'],
  ['1. first', '1\\. first'],
  ['=== & &amp; ~~gone~~', '\\=== & \\&amp; \\~\\~gone\\~\\~'],
])('a description such as %j begins no list, heading or rule', async (description, shown) => {
  const { text } = await render({ profile: { ...answers.profile, description } })
  expect(text('README.md').split('\n')[2]).toBe(shown)
})

test('an image can be built with a restrictive umask, and the README lists its requirements', async () => {
  const { text } = await render()
  expect(text('Dockerfile')).toContain('RUN chmod -R a+rX *.json skills src\nUSER 1000:1000\n')
  expect(text('README.md')).toContain('only with `LLM_PROVIDER=offline`')
})

test('yarn treats it as a separate project, whatever is above it', async () => {
  expect((await render({ packageManager: 'yarn' })).text('yarn.lock')).toBe('')
})

test.each([
  ['npm', 'package.json', '"overrides"'],
  ['yarn', 'package.json', '"resolutions"'],
  ['pnpm', 'pnpm-workspace.yaml', 'overrides:'],
] as const)('%s finds unpublished packages in vendor, and their dependencies', async (packageManager, path, member) => {
  const { files, text, json } = await render({ packageManager }, { packages: await tarballs({}) })
  const vendored = files.map(file => file.path).filter(file => file.startsWith('vendor/'))
  expect(vendored).toContain('vendor/sibyl-core-0.1.0.tgz')
  expect(json('package.json').dependencies['@sibyl/core']).toBe('file:vendor/sibyl-core-0.1.0.tgz')
  expect(text(path)).toContain(member)
  for (const file of vendored) expect(text(path)).toContain(`file:${file}`)
})

test('a project on a chain has the package for it', async () => {
  const { json } = await render({ network: 'mainnet' })
  expect(json('package.json').devDependencies).toHaveProperty(
    '@sibyl/registry-ixo',
    'file:vendor/sibyl-registry-ixo-0.1.0.tgz',
  )
})
