import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeBlocks, shownCommands } from './testing/code-blocks.ts'
import { outputViolation } from './testing/compare-output.ts'
import { followPage } from './testing/follow-page.ts'
import { makeProject, runShownTests } from './testing/prepare-workspace.ts'
import { Workspace } from './testing/workspace.ts'

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

/** The pages that are followed at every change; the others belong to the long tests. */
const followedFirst = [
  '../../README.md',
  'getting-started.md',
  'write-a-plugin.md',
  'talk-to-an-oracle.md',
  'cookbook.md',
]

const testCommands = (where: string, pages: readonly string[], port?: number, from?: string) => {
  for (const page of pages) {
    const tags = followedFirst.includes(page) ? [] : 'long'
    test(`every command of ${page} works word for word ${where}`, { tags, timeout: limit }, async () => {
      const workspace = join(folder, basename(page, '.md'))
      expect(await followPage(new URL(page, import.meta.url), workspace, port, from)).toEqual([])
    })
  }
}

testCommands('in a clone', ['../../README.md', 'getting-started.md', 'new-oracle.md'])

testCommands('with the project that it makes', ['write-a-plugin.md', 'your-project.md'], 4000)

testCommands(
  'in a project that sibyl new made',
  [
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
  ],
  4000,
  project,
)

test('an oracle in a project answers in Matrix after the steps of services.md', {
  tags: 'long',
  timeout: limit,
}, async () => {
  const { Homeserver, MatrixPerson } = await import(
    join(import.meta.dirname, '../../packages/plugins/matrix/src/testing/index.test.support.ts')
  )
  await using homeserver = await Homeserver.start()
  homeserver.addUser('oracle', 'oracle-secret')
  const blocks = codeBlocks(read('services.md')).map(({ text }) => text)
  const settings = blocks.find(text => text.startsWith('MATRIX_BASE_URL=')) ?? ''
  const [start] = shownCommands(blocks.find(text => text.startsWith('$ npm run dev')) ?? '')
  const workspace = await Workspace.open(join(folder, 'matrix'), 4000, project)
  try {
    workspace.write('.env', settings.replace('http://localhost:8008', homeserver.url))
    const { stdout } = await workspace.run(start?.command ?? '')
    expect(outputViolation(start?.output ?? [], stdout)).toBeUndefined()
    const ada = await MatrixPerson.register(homeserver.url, 'ada')
    const room = await ada.directRoom('@oracle:localhost')
    await ada.send(room, 'What can you do?')
    const isAnswer = ({ sender }: { sender: string }) => sender === '@oracle:localhost'
    expect(await ada.hears(isAnswer)).toContain('I am the offline model')
  } finally {
    await workspace.close()
  }
})

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
