import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { expect, onTestFinished, test } from 'vitest'
import { checkCommit, readCommits } from './commits.ts'

const repository = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-commits-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // Without GIT_DIR and others, which git sets in hooks.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  const env = { ...Object.fromEntries(own), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  const commit = (subject: string) => git('commit', '--allow-empty', '-m', subject)
  git('init', '-b', 'main')
  return { folder, git, commit }
}

const violationsIn = (folder: string, after: string) => {
  const found = readCommits(folder, after)
  return 'skipped' in found ? found : found.commits.flatMap(checkCommit)
}

test.each(['Share one browser among console tests', 'Read .tsx files in all checks', 'Pass limits', 'Embed the page'])(
  'accepts the subject %s',
  subject => {
    expect(checkCommit({ hash: 'a1', subject, isMerge: false })).toEqual([])
  },
)

test.each([
  ['Adds a check', 'imperative'],
  ['Added a check', 'imperative'],
  ['add a check', 'imperative'],
  ['The checks read .tsx', 'imperative'],
  ['Nothing is read twice', 'imperative'],
  ['Format', 'does not state the change'],
  ['Read again: names', 'does not state the change'],
  ['Add a check.', 'period'],
  [`Add ${'x'.repeat(70)}`, 'has 74 characters'],
])('rejects the subject %s', (subject, part) => {
  expect(checkCommit({ hash: 'a1', subject, isMerge: false })).toEqual([expect.stringContaining(part)])
})

test('checks the commits after the recorded one, and rejects merges', async () => {
  const { folder, git, commit } = await repository()
  commit('Words')
  const after = git('rev-parse', 'HEAD')
  git('checkout', '-b', 'side')
  commit('Tests are faster')
  git('checkout', 'main')
  commit('Add a port')
  git('merge', '--no-ff', '-m', 'Add the side', 'side')
  expect(violationsIn(folder, after)).toEqual([
    expect.stringContaining('"Add the side" is a merge'),
    expect.stringContaining('"Tests are faster" is no imperative'),
  ])
})

test('checks a shallow clone as far as it goes', async () => {
  const { folder, git, commit } = await repository()
  commit('Add a port')
  const after = git('rev-parse', 'HEAD')
  commit('Ports are open')
  git('clone', '--depth', '1', `file://${folder}`, join(folder, 'clone'))
  expect(violationsIn(join(folder, 'clone'), after)).toEqual([expect.stringContaining('"Ports are open"')])
})

test('skips a folder without history, and a history without the recorded commit', async () => {
  const { folder, commit } = await repository()
  commit('Words')
  expect(violationsIn(folder, '0'.repeat(40))).toEqual({ skipped: expect.stringContaining('0000') })
  const other = await mkdtemp(join(tmpdir(), 'sibyl-commits-'))
  onTestFinished(() => rm(other, { recursive: true, force: true }))
  expect(violationsIn(other, 'HEAD')).toEqual({ skipped: expect.stringContaining('no git history') })
})

test('every commit of this checkout has an imperative subject of at most 72 characters', ({ skip }) => {
  const found = readCommits(workspaceRoot)
  if ('skipped' in found) return skip(found.skipped)
  expect(found.commits.flatMap(checkCommit)).toEqual([])
})
