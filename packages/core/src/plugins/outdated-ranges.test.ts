import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { outdatedRanges } from './outdated-ranges.ts'

const projectOf = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl ranges ü-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const pluginOf = (name: string, core: string) =>
  `export const make = () =>\n  definePlugin<Env, { a: string }>({\n    name: "${name}",\n    version: '0.1.0',\n    core: '${core}',\n  })\n`

test('finds the lines of plugins and manifests that exclude a version', () => {
  const folder = projectOf({
    'src/plugins/tides.ts': `${pluginOf('tides', '^0.1.0')}\n${pluginOf('waves', '0.1.x || 0.2.x')}`,
    'lib/sky.mjs': pluginOf('sky', '~0.1.3'),
    'src/other.ts': "export const versions = { core: '^0.1.0' }\n",
    'package.json': '{\n  "peerDependencies": {\n    "@sibyl/core": "^0.1.0",\n    "zod": "^0.1.0"\n  }\n}\n',
    'node_modules/other/index.js': pluginOf('other', '^0.1.0'),
    '.sibyl/old.ts': pluginOf('old', '^0.1.0'),
  })
  const found = outdatedRanges(folder, '0.2.0')
  expect(found.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
    { path: 'lib/sky.mjs', line: 5, range: '~0.1.3', plugin: 'sky' },
    { path: 'package.json', line: 3, range: '^0.1.0', plugin: undefined },
    { path: 'src/plugins/tides.ts', line: 5, range: '^0.1.0', plugin: 'tides' },
  ])
  expect(outdatedRanges(folder, '0.1.5')).toEqual([])
})
