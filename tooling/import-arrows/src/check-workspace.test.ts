import type { Manifest, WorkspacePackage } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { checkWorkspace } from './check-workspace.ts'
import { describeViolations } from './violation.ts'

const madeUp = (folder: string, manifest: Manifest, files: Record<string, string>): WorkspacePackage => ({
  folder,
  manifest,
  files: Object.entries(files).map(([path, text]) => ({ path, text })),
})

const workspaceNames = ['protocol', 'identity', 'storage', 'plugin', 'core', 'testing', 'client', 'bundle', 'cli']
const everyPackage = {
  ...Object.fromEntries(workspaceNames.map(name => [`@sibyl/${name}`, 'workspace:*'])),
  '@sibyl/plugin-tides': 'workspace:*',
}

/** Returns the violations of a workspace of empty packages, one of them with the given source. */
const violationsOf = (
  folder: string,
  source: string,
  manifest: Partial<Manifest> = {},
  path = 'src/index.ts',
  others: Record<string, string> = {},
) => {
  const name = folder.startsWith('packages/plugins/')
    ? `@sibyl/plugin-${folder.split('/')[2]}`
    : `@sibyl/${folder.split('/').at(-1)}`
  const empty = workspaceNames.map(each => madeUp(`packages/${each}`, { name: `@sibyl/${each}` }, {}))
  return describeViolations(
    checkWorkspace(
      [
        madeUp('.', { name: 'root', devDependencies: { vitest: 'catalog:' } }, {}),
        ...empty,
        madeUp('packages/plugins/tides', { name: '@sibyl/plugin-tides' }, {}),
        madeUp(folder, { name, dependencies: everyPackage, ...manifest }, { [path]: source, ...others }),
      ],
      {},
    ),
  )
}

test.each([
  ['packages/models', '@sibyl/protocol'],
  ['packages/core', '@sibyl/storage'],
  ['packages/client', '@sibyl/identity'],
  ['packages/plugins/weather', '@sibyl/plugin'],
  ['packages/plugins/weather', '@sibyl/plugin/testing'],
  ['packages/testing', '@sibyl/core'],
  ['packages/bundle', '@sibyl/plugin-tides'],
  ['packages/cli', '@sibyl/bundle'],
  ['packages/cli', '@sibyl/plugin-tides'],
  ['examples/quickstart', '@sibyl/plugin-tides'],
])('%s may import %s', (folder, target) => {
  expect(violationsOf(folder, `import { a } from '${target}'`)).toEqual([])
})

test.each(['packages/plugins/weather', 'templates/minimal', 'examples/quickstart'])(
  '%s may not import names for packages that run plugins',
  folder => {
    const source = "import { a } from '@sibyl/plugin/host'"
    expect(violationsOf(folder, source)).toEqual([expect.stringContaining("imports '@sibyl/plugin/host'")])
    expect(violationsOf(folder, source, {}, 'src/index.test.ts')).toEqual([])
    expect(violationsOf('packages/core', source)).toEqual([])
    expect(violationsOf('packages/plugins/mcp', source)).toEqual([])
  },
)

test.each([
  ['packages/protocol', '@sibyl/identity', 'from protocol to identity'],
  ['packages/identity', '@sibyl/protocol', 'from identity to protocol'],
  ['packages/identity', '@sibyl/core', 'from identity to core'],
  ['packages/storage', '@sibyl/protocol', 'from storage to protocol'],
  ['packages/core', '@sibyl/plugin-tides', 'from core to plugins'],
  ['packages/core', '@sibyl/client', 'from core to client'],
  ['packages/client', '@sibyl/core', 'from client to core'],
  ['packages/core', '@sibyl/testing', 'from core to testing'],
  ['packages/plugins/weather', '@sibyl/core', 'from plugins to core'],
  ['packages/plugins/weather', '@sibyl/plugin-tides', 'from plugins to plugins'],
  ['packages/plugins/weather', '@sibyl/storage', 'from plugins to storage'],
  ['packages/bundle', '@sibyl/client', 'from bundle to client'],
  ['packages/client', '@sibyl/plugin-tides', 'from client to plugins'],
])('%s may not import %s', (folder, target, dependency) => {
  expect(violationsOf(folder, `import { a } from '${target}'`)).toEqual([
    `${folder}/src/index.ts:1 imports '${target}': the architecture has no dependency ${dependency}.`,
  ])
})

test.each([
  `import type { A } from '@sibyl/client'`,
  `export { a } from '@sibyl/client'`,
  `export const load = () => import('@sibyl/client')`,
  `export type A = import('@sibyl/client').A`,
  `import { a } from '@sibyl/client/testing'`,
])('an import counts in every form: %s', source => {
  expect(violationsOf('packages/core', source)).toHaveLength(1)
})

test('an undeclared package may not import others', () => {
  expect(violationsOf('packages/attic', `import { a } from '@sibyl/core'`)).toEqual([
    expect.stringContaining('an undeclared folder'),
  ])
})

test('what is not declared may not be imported', () => {
  expect(violationsOf('packages/core', `import { z } from 'zod/v4'`)).toEqual([
    "packages/core/src/index.ts:1 imports 'zod', which the dependencies of its package.json does not declare.",
  ])
  expect(violationsOf('packages/core', `import { z } from 'zod'`, { peerDependencies: { zod: '4' } })).toEqual([])
})

test('a development dependency is for tests and for what is never published', () => {
  const manifest = { devDependencies: { ucans: 'catalog:' } }
  const source = `import * as ucans from 'ucans'`
  expect(violationsOf('packages/identity', source, manifest)).toHaveLength(1)
  expect(violationsOf('packages/identity', source, manifest, 'src/interop.test.ts')).toEqual([])
  expect(violationsOf('packages/identity', source, manifest, 'src/interop.test.helper.ts')).toEqual([])
  expect(violationsOf('packages/identity', source, manifest, 'src/testing/tokens.ts')).toEqual([])
  expect(violationsOf('benchmarks', source, { ...manifest, private: true })).toEqual([])
})

test('what is bundled into a page may use a development dependency', () => {
  const imports = { '#page.js': { 'sibyl-source': './src/page.ts', default: './dist/page.js.gz' } }
  const manifest = { devDependencies: { ucans: 'catalog:' }, imports }
  const source = `import * as ucans from 'ucans'`
  expect(violationsOf('packages/core', source, manifest, 'src/page.ts')).toEqual([])
  expect(violationsOf('packages/core', source, manifest, 'src/other.ts')).toHaveLength(1)
  expect(violationsOf('packages/core', `import '@sibyl/client'`, manifest, 'src/page.ts')).toHaveLength(1)
})

test('an exported testing folder is not a test', () => {
  const manifest = {
    devDependencies: { ucans: 'catalog:' },
    exports: { './testing': { 'sibyl-source': './src/testing/index.ts' } },
  }
  expect(violationsOf('packages/identity', `import 'ucans'`, manifest, 'src/testing/index.ts')).toHaveLength(1)
})

test('tests may use the development dependencies of the root', () => {
  expect(violationsOf('packages/core', `import { test } from 'vitest'`, {}, 'src/a.test.ts')).toEqual([])
  expect(violationsOf('packages/core', `import { test } from 'vitest'`)).toHaveLength(1)
})

test('sources do not import tests', () => {
  expect(
    violationsOf('packages/core', `import { a } from './a.test.ts'`, {}, 'src/index.ts', { 'src/a.test.ts': '' }),
  ).toEqual(["packages/core/src/index.ts:1 imports './a.test.ts', which is for tests alone."])
})

test('a relative import stays inside its package', () => {
  expect(violationsOf('packages/core', `import { a } from '../../storage/src/index.ts'`)).toEqual([
    expect.stringContaining('which leaves its package'),
  ])
  expect(violationsOf('packages/core', `import { version } from '../package.json'`)).toEqual([])
})

test("modules of Node are written with 'node:'", () => {
  expect(violationsOf('packages/core', `import { join } from 'node:path'`)).toEqual([])
  expect(violationsOf('packages/core', `import { join } from 'path'`)).toEqual([expect.stringContaining('node:path')])
})

test('default exports and module-level state of packages are found, outside configuration files and tests', () => {
  expect(violationsOf('packages/core', 'export default 1')).toEqual([expect.stringContaining('default export')])
  expect(violationsOf('packages/core', 'export default 1', {}, 'tsdown.config.ts')).toEqual([])
  expect(violationsOf('packages/core', '\nlet count = 0')).toEqual([expect.stringContaining(':2 keeps state')])
  expect(violationsOf('packages/core', 'let count = 0', {}, 'src/a.test.ts')).toEqual([])
  expect(violationsOf('benchmarks', 'let count = 0')).toEqual([])
})

test.each(['src/view.tsx', 'src/run.mjs', 'src/page/page.js', 'src/a/b/c/d.ts'])('checks %s', path => {
  const name = path.split('/').at(-1)
  const source = `import '@sibyl/client'\nimport './${name}'\nlet a = 1\nexport default a`
  expect(violationsOf('packages/core', source, {}, path)).toEqual([
    expect.stringContaining(`${path}:1 imports '@sibyl/client': the architecture has no dependency`),
    expect.stringContaining(`${path}:4 has a default export`),
    expect.stringContaining(`${path}:3 keeps state`),
    expect.stringContaining(`${path}:1 is in an import cycle`),
  ])
})

test('finds import cycles, including type imports', () => {
  const cyclic = madeUp(
    'packages/plugins/tides',
    { name: '@sibyl/plugin-tides' },
    {
      'src/index.ts': `export { a } from './a.ts'`,
      'src/a.ts': `import { b } from './harbor/b.ts'\nexport const a = b`,
      'src/harbor/b.ts': `import type { C } from './c.ts'\nexport const b: C = 1`,
      'src/harbor/c.ts': `export type { A as C } from '../a.ts'`,
    },
  )
  expect(describeViolations(checkWorkspace([cyclic], {}))).toEqual([
    'packages/plugins/tides/src/a.ts:1 is in an import cycle: src/a.ts -> src/harbor/b.ts -> src/harbor/c.ts -> src/a.ts',
  ])
})

test('accepts a cycle through a dynamic import', () => {
  const lazy = madeUp(
    'packages/plugins/tides',
    { name: '@sibyl/plugin-tides' },
    {
      'src/index.ts': `export const run = async () => (await import('./run.ts')).run`,
      'src/run.ts': `import type { Options } from './index.ts'\nexport const run = (options: Options) => options`,
    },
  )
  expect(checkWorkspace([lazy], {})).toEqual([])
})
