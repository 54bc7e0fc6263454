import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledPlugins } from '@sibyl/bundle'
import {
  imageVersions,
  type PackageManager,
  type PackageSource,
  packageManagers,
  renderProject,
} from '@sibyl/cli/scaffold'
import { listEnvVariables } from '@sibyl/core'
import { workspaceRoot } from '@sibyl/tooling-source'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { checkCompose } from './check-compose.ts'
import { checkDockerfile } from './check-dockerfile.ts'
import { checkKubernetes } from './check-kubernetes.ts'

/** What each package manager writes when it installs. */
const lockfiles = { npm: 'package-lock.json', pnpm: 'pnpm-lock.yaml', yarn: 'yarn.lock' } as const

const packages: PackageSource = new Map(
  ['bundle', 'core', 'plugin', 'testing', 'cli', 'protocol', 'client', 'identity', 'plugin-ussd'].map(name => [
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
      port: 4000,
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
  test('has a Dockerfile without findings', async () => {
    const files = await render(packageManager)
    const paths = [...files.map(({ path }) => path), lockfiles[packageManager]]
    const text = String(files.find(({ path }) => path === 'Dockerfile')?.content)
    const exists = (path: string) => paths.some(one => one === path || one.startsWith(`${path}/`))
    expect(checkDockerfile(text, { exists, versions: imageVersions })).toEqual([])
    expect(text).toContain('COPY vendor')
  })
})

const rendered = async (path: string) => String((await render('npm')).find(file => file.path === path)?.content)
const example = (file: string) => readFileSync(join(workspaceRoot, 'examples/deploy', file), 'utf8')

test('the image keeps on its volume what the image of examples/deploy keeps there', async () => {
  const kept = (text: string) => [...text.matchAll(/\b([A-Z_]+=(?:file:)?\/data\S*)/g)].map(([, variable]) => variable)
  expect(kept(example('Dockerfile'))).toHaveLength(3)
  expect(kept(await rendered('Dockerfile'))).toEqual(kept(example('Dockerfile')))
})

test('the compose file has no findings, and publishes the port of the project', async () => {
  const variables = listEnvVariables(bundledPlugins())
  const text = await rendered('deploy/compose.yaml')
  const violations = checkCompose(text, {
    example: { POSTGRES_PASSWORD: '', SITE_ADDRESS: ':80' },
    isVariable: name => variables.some(variable => variable.name === name),
    stopSeconds: Number(variables.find(({ name }) => name === 'SHUTDOWN_GRACE_SECONDS')?.default),
  })
  expect(violations).toEqual([])
  expect(parse(text, { merge: true }).services.oracle).toMatchObject({
    build: { context: '..', dockerfile: 'Dockerfile' },
    environment: { PORT: '4000' },
    ports: ['127.0.0.1:4000:4000'],
  })
})

test('the manifests have no findings, and use the port of the project', async () => {
  const text = await rendered('deploy/kubernetes.yaml')
  expect(checkKubernetes(text, { isVariable: () => true, stopSeconds: 15 })).toEqual([])
  expect(text.match(/4000|3000/g)).toEqual(['4000', '4000'])
})

test('images, unit and proxy are those of examples/deploy', async () => {
  const images = (text: string) => [...text.matchAll(/image: (\S+)/g)].map(([, image]) => image)
  expect(images(await rendered('deploy/compose.yaml'))).toEqual(images(example('compose.yaml')))
  expect(await rendered('deploy/oracle.service')).toBe(example('oracle.service'))
  expect((await rendered('deploy/Caddyfile')).replaceAll(':4000', ':3000')).toBe(example('Caddyfile'))
  expect(await rendered('deploy/compose.yaml')).not.toMatch(/:3000|examples|\.env\.example/)
})

const verifier = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!verifier)('systemd takes every line of the unit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-unit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const unit = join(folder, 'oracle.service')
  // Whether a program is at /usr/bin/node is up to the server.
  await writeFile(unit, (await rendered('deploy/oracle.service')).replace('/usr/bin/node', '/bin/true'))
  const verify = () => spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
  expect(verify()).toMatchObject({ status: 0, stdout: '', stderr: '' })
  await writeFile(unit, (await rendered('deploy/oracle.service')).replace('RestartSec=', 'RestartSeconds='))
  expect(verify().stderr).toContain('RestartSeconds')
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
  for (const path of ['.git', '.env', '.data', 'node_modules', 'deploy', '*.db']) expect(ignored).toContain(path)
})
