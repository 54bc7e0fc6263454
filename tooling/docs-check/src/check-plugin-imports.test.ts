import { expect, test } from 'vitest'
import { checkPluginImports, ownExports } from './check-plugin-imports.ts'

const names = ownExports(`export { parseMnemonic } from '@sibyl/identity'
export { definePlugin, type Manifest } from './definition/oracle-plugin.ts'
`)

test('a name of @sibyl/plugin from another package is found', () => {
  const page = `# A plugin

\`\`\`ts tides.ts
import { createOracleApp, definePlugin } from '@sibyl/core'
import {
  type Manifest as TidesManifest,
  parseMnemonic,
} from '@sibyl/core/start'
\`\`\`
`
  expect(checkPluginImports('docs/a.md', page, names)).toEqual([
    'docs/a.md:4 imports definePlugin from @sibyl/core.',
    'docs/a.md:5 imports Manifest from @sibyl/core/start.',
  ])
})

test('an import of the names for packages that run plugins is found', () => {
  const page = "import { textStream } from '@sibyl/plugin/host'"
  expect(checkPluginImports('docs/a.md', page, names)).toEqual([
    'docs/a.md:1 imports textStream from @sibyl/plugin/host.',
  ])
})

test.each([
  "import { definePlugin } from '@sibyl/plugin'",
  "import type { Manifest } from '@sibyl/plugin/testing'",
  "import { parseMnemonic } from '@sibyl/identity'",
  "import { definePlugin } from './plugin.ts'",
])('accepts %j', text => {
  expect(checkPluginImports('a.ts', text, names)).toEqual([])
})
