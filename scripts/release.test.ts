import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let place = ''
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'sibyl-release-test-'))
})
afterEach(() => rmSync(place, { recursive: true }))

const load = (name: string) => import(new URL(`release/${name}.mjs`, import.meta.url).href)

const good = {
  name: 'tides',
  version: '1.0.0',
  description: 'Tides',
  license: 'Apache-2.0',
  type: 'module',
  engines: { node: '>=22' },
  files: ['dist'],
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
}
const code = { 'dist/index.js': 'export const high = 1\n', 'dist/index.d.ts': 'export declare const high = 1\n' }

const violationsOf = async (manifest: object, files: Record<string, string> = code): Promise<string[]> => {
  const all = { ...files, 'package.json': JSON.stringify(manifest) }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(place, 'package', path)), { recursive: true })
    writeFileSync(join(place, 'package', path), text)
  }
  const file = join(place, 'tides.tgz')
  expect(spawnSync('tar', ['-czf', file, '-C', place, 'package']).status).toBe(0)
  const { checkTarball } = await load('check-tarball')
  return (await checkTarball(file)).faults
}

test('a package that its users can import has no fault', async () => {
  expect(await violationsOf(good)).toEqual([])
})

test('a workspace version and a missing file are found', async () => {
  expect(await violationsOf({ ...good, dependencies: { moon: 'workspace:*' } })).toEqual([
    expect.stringContaining("'moon' as 'workspace:*'"),
  ])
  const exports = { '.': { types: './dist/index.d.ts', default: './dist/other.js' } }
  expect(await violationsOf({ ...good, exports })).toContainEqual(expect.stringContaining('publint'))
})

test('wrong types are found', async () => {
  const files = { 'dist/index.js': code['dist/index.js'], 'dist/index.d.ts': "export * from './tides'\n" }
  expect(await violationsOf(good, files)).toContainEqual(expect.stringContaining('are-the-types-wrong'))
})

test('packages are published after their dependencies', async () => {
  const { inOrder } = await load('in-order')
  const packages = [
    { manifest: { name: 'a', dependencies: { c: '1', zod: '4' } } },
    { manifest: { name: 'b' } },
    { manifest: { name: 'c', dependencies: { b: '1' } } },
  ]
  const names = inOrder(packages).map((each: (typeof packages)[number]) => each.manifest.name)
  expect(names).toEqual(['b', 'c', 'a'])
})

test('outside of the release workflow nothing is published', () => {
  const { GITHUB_ACTIONS: _, ...env } = process.env
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'release.mjs')], {
    env,
    encoding: 'utf8',
  })
  expect(status).toBe(2)
  expect(stderr).toContain('release --dry-run')
})

test('a release moves the changelog and the versions in sources', async () => {
  const { releaseSection, replaceVersions } = await load('release-texts')
  const changelog = '# Changelog\n\n## Unreleased\n\n- Old.\n'
  expect(releaseSection(changelog, ['New.'], '0.2.0', '2026-12-01')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- New.\n\n- Old.\n',
  )
  expect(replaceVersions("version: '0.1.0', core: '^0.1.0', other: '0.1.0'", '0.1.0', '0.2.0')).toBe(
    "version: '0.2.0', core: '^0.2.0', other: '0.1.0'",
  )
})
