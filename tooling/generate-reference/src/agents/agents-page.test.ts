import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findPackages, type Manifest, readManifest, type WorkspacePackage, workspaceRoot } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { agentsPage } from './agents-page.ts'
import { commandPurposes } from './command-purposes.ts'

const purposes = commandPurposes(readManifest(workspaceRoot))
const page = agentsPage(findPackages(), purposes)

test('AGENTS.md has at most 8,192 bytes', () => {
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(8_192)
})

test('AGENTS.md names only files of the checkout', () => {
  const names = [...page.matchAll(/`([\w.-]+(?:\/[\w.-]+)*)`/g)].map(([, name = '']) => name)
  const paths = names.filter(name => /\/|\.\w+$/.test(name))
  expect(paths).toContain('packages/bundle/src/bundled-plugins.ts')
  expect(paths.filter(path => !existsSync(join(workspaceRoot, path)))).toEqual([])
})

test('AGENTS.md has every package of the workspace', () => {
  const named = new Set([...page.matchAll(/^(?:- |\| )`([^`]+)`/gm)].map(([, name]) => name))
  const folders = findPackages().map(({ folder }) => folder.split('/').at(-1))
  expect(folders.filter(folder => folder !== '.' && !named.has(folder))).toEqual([])
})

test('a package has its description and the imports of its group', () => {
  const folder = (path: string, manifest: Partial<Manifest>): WorkspacePackage => ({
    folder: path,
    manifest: { name: path, ...manifest },
    files: [],
  })
  const written = agentsPage(
    [
      folder('.', { description: 'Tide tables', engines: { node: '>=22' } }),
      folder('packages/client', { description: 'The client' }),
      folder('packages/plugins/tides', { description: 'High water' }),
      folder('examples/port', { description: 'A port' }),
    ],
    purposes,
  )
  expect(written).toContain('\nTide tables.\nTypeScript, ESM, Node >=22,')
  expect(written).toContain('| `client` | The client | protocol, identity |')
  expect(written).toContain('| `plugins/*` | 1 packages, below | plugin, protocol, ')
  expect(written).toContain('In `packages/plugins`:\n\n- `tides`: High water\n')
  expect(written).toContain('In `examples`:\n\n- `port`: A port\n')
})

test('a command that package.json lacks is an error', () => {
  expect(commandPurposes({ name: 'sibyl', scripts: { demo: 'node scripts/launch.mjs demo', tides: 'tides' } })).toEqual(
    new Map([['demo', 'show a tour of a running oracle']]),
  )
  expect(() => agentsPage([], new Map())).toThrow("package.json has no command 'demo'")
})
