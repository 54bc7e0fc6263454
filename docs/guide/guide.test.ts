import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeBlocks } from './testing/code-blocks.ts'
import { followPage } from './testing/follow-page.ts'
import { makeProject, runShownTests } from './testing/prepare-workspace.ts'

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

/** The project that the pages begin in. */
const project = join(folder, 'project')
beforeAll(() => makeProject(project), limit)

const follow = (page: string, port?: number, from?: string) =>
  followPage(new URL(page, import.meta.url), join(folder, basename(page, '.md')), port, from)

test.each(['../../README.md', 'getting-started.md', 'new-oracle.md'])(
  'every command of %s works word for word in a clone',
  async page => {
    expect(await follow(page)).toEqual([])
  },
  limit,
)

test.each(['write-a-plugin.md', 'your-project.md'])(
  'every command of %s works word for word, with the project that it makes',
  async page => {
    expect(await follow(page, 4000)).toEqual([])
  },
  limit,
)

test.each([
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
  'every command of %s works word for word in a project that sibyl new made',
  async page => {
    expect(await follow(page, 4000, project)).toEqual([])
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
