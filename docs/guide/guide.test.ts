import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBlocks } from './testing/code-blocks.ts'
import { followPage } from './testing/follow-page.ts'

/** A page runs up to thirty commands. */
const limit = 600_000

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const { useBundledPackages } = await import(
  join(import.meta.dirname, '../../packages/cli/src/process/bundled-sibyl.test.helper.ts')
)
useBundledPackages()

test.each([
  '../../README.md',
  'getting-started.md',
  'new-oracle.md',
  'talk-to-an-oracle.md',
  'openai-clients.md',
  'mcp-clients.md',
  'a2a.md',
  'ag-ui.md',
  'access.md',
  'sign-in.md',
  'ussd.md',
  'capabilities.md',
  'services.md',
  'digital-twins.md',
  'deploy.md',
  'cookbook.md',
  'troubleshooting.md',
])(
  'what %s says works word for word',
  async page => {
    expect(await followPage(new URL(page, import.meta.url))).toEqual([])
  },
  limit,
)

test.each(['write-a-plugin.md', 'your-project.md'])(
  'what %s says works word for word in a project',
  async page => {
    expect(await followPage(new URL(page, import.meta.url), 4000)).toEqual([])
  },
  limit,
)

test('write-a-plugin.md shows main.ts of a new project, with the plugin added', () => {
  const shown = codeBlocks(read('write-a-plugin.md')).find(({ info }) => info === 'field-oracle/src/main.ts')?.text
  const main = read('../../templates/minimal/src/main.ts')
  expect(shown?.replace(/^import \{ moon \}.*\n/m, '').replace(', moon()', '')).toBe(main)
})
