import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { codeBlocks } from './testing/code-blocks.ts'
import { followPage } from './testing/follow-page.ts'
import { runShownTests } from './testing/prepare-workspace.ts'

/** A page runs up to thirty commands. */
const limit = 600_000

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const { useBundledPackages } = await import(
  join(import.meta.dirname, '../../packages/cli/src/process/bundled-sibyl.test.helper.ts')
)
useBundledPackages()

/** The workspaces of the pages. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sibyl-guide-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const follow = (page: string, port?: number) =>
  followPage(new URL(page, import.meta.url), join(folder, basename(page, '.md')), port)

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
    expect(await follow(page)).toEqual([])
  },
  limit,
)

test.each(['write-a-plugin.md', 'your-project.md'])(
  'what %s says works word for word in a project',
  async page => {
    expect(await follow(page, 4000)).toEqual([])
  },
  limit,
)

test(
  'the tests that these pages run pass',
  async () => {
    expect(await runShownTests(folder)).toBeUndefined()
  },
  limit,
)

test('write-a-plugin.md shows main.ts of a new project, with the plugin added', () => {
  const shown = codeBlocks(read('write-a-plugin.md')).find(({ info }) => info === 'field-oracle/src/main.ts')?.text
  const main = read('../../templates/minimal/src/main.ts')
  expect(shown?.replace(/^import \{ moon \}.*\n/m, '').replace(', moon()', '')).toBe(main)
})
