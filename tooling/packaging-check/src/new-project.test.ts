import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  imageVersions,
  type PackageManager,
  type PackageSource,
  packageManagers,
  renderProject,
} from '@sibyl/cli/scaffold'
import { workspaceRoot } from '@sibyl/tooling-source'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkDockerfile } from './check-dockerfile.ts'

/** What each package manager writes when it installs. */
const lockfiles = { npm: 'package-lock.json', pnpm: 'pnpm-lock.yaml', yarn: 'yarn.lock' } as const

const packages: PackageSource = new Map(
  ['bundle', 'core', 'cli', 'protocol'].map(name => [
    `@sibyl/${name}`,
    { fileName: `sibyl-${name}-0.1.0.tgz`, content: new Uint8Array() },
  ]),
)

const render = (packageManager: PackageManager) =>
  renderProject({
    answers: {
      folder: '/projects/field-oracle',
      template: 'minimal',
      signing: 'mnemonic',
      network: 'devnet',
      profile: { name: 'Field Oracle', description: 'Tells the weather.', price: 'free', model: 'offline' },
      apiUrl: 'http://localhost:4000',
      port: 3000,
      matrixBaseUrl: undefined,
      packageManager,
      register: false,
      git: false,
    },
    mnemonic: 'abandon '.repeat(11).concat('about'),
    entityDid: undefined,
    controllers: [],
    bot: undefined,
    packages,
  })

describe.each(packageManagers)('a new project that %s installs', packageManager => {
  test('has a Dockerfile without a fault', async () => {
    const files = await render(packageManager)
    const paths = [...files.map(({ path }) => path), lockfiles[packageManager]]
    const text = String(files.find(({ path }) => path === 'Dockerfile')?.content)
    const exists = (path: string) => paths.some(one => one === path || one.startsWith(`${path}/`))
    expect(checkDockerfile(text, { exists, versions: imageVersions })).toEqual([])
    expect(text).toContain('COPY vendor')
  })
})

test('the image has the versions that the workspace is tested with', () => {
  const { catalog } = parse(readFileSync(join(workspaceRoot, 'pnpm-workspace.yaml'), 'utf8'))
  expect(imageVersions.node).toBe(catalog.node)
  const ours = readFileSync(join(workspaceRoot, 'examples/deploy/Dockerfile'), 'utf8')
  expect(ours).toContain(`pnpm@${imageVersions.pnpm}`)
})

test('what must not be in a layer is not in the build context', async () => {
  const files = await render('npm')
  const ignored = String(files.find(({ path }) => path === '.dockerignore')?.content).split('\n')
  for (const path of ['.git', '.env', '.data', 'node_modules', '*.db']) expect(ignored).toContain(path)
})
