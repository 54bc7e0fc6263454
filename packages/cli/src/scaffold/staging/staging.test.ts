import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ProjectFile } from '../answers/project-facts.ts'
import { placeProject } from './place-project.ts'
import { stageProject } from './staged-project.ts'
import { type ExistingFolderOptions, targetFolder } from './target-folder.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sibyl staging ä-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
})

const files: readonly ProjectFile[] = [
  { path: 'package.json', content: '{}\n' },
  { path: 'src/main.ts', content: 'main\n' },
  { path: '.env', content: 'SECRET=1\n', mode: 0o600 },
]
const never = new AbortController().signal

const around = (cwd = tmpdir()) => ({ cwd, home: join(root, 'home') })

const make = async (path: string, options: ExistingFolderOptions = {}, surroundings = around()) => {
  const target = await targetFolder(join(root, path), options, surroundings)
  const staged = await stageProject(target)
  try {
    await staged.write(files, never)
    return await placeProject(target, staged, new Date('2026-11-21T20:30:00Z'))
  } catch (error) {
    await staged.remove()
    throw error
  }
}

const tree = (): readonly string[] => readdirSync(root, { recursive: true }).map(String).sort()

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    reason => reason,
  )
  expect(error).toMatchObject({ code: 'folder_not_usable' })
  return `${error.message} ${error.remedy}`.replaceAll(root, '…')
}

describe('a new folder', () => {
  test('appears at once, with modes, and nothing next to it', async () => {
    expect(await make('Größe und mehr/new one')).toEqual({
      written: ['.env', 'package.json', 'src/main.ts'],
      left: [],
      movedTo: undefined,
    })
    expect(readdirSync(join(root, 'Größe und mehr'))).toEqual(['new one'])
    const project = join(root, 'Größe und mehr/new one')
    expect(readFileSync(join(project, 'src/main.ts'), 'utf8')).toBe('main\n')
    expect(statSync(join(project, '.env')).mode & 0o777).toBe(0o600)
  })

  test('is removed with its new parents when staging is canceled', async () => {
    const controller = new AbortController()
    const target = await targetFolder(join(root, 'a/b/c'), {}, around())
    const staged = await stageProject(target)
    expect(existsSync(join(root, 'a/b'))).toBe(true)
    controller.abort(new Error('given up'))
    await expect(staged.write(files, controller.signal)).rejects.toThrow('given up')
    await staged.remove()
    expect(tree()).toEqual([])
  })

  test('replaces what a killed run left; files of others stay', async () => {
    const killed = await stageProject(await targetFolder(join(root, 'x'), {}, around()))
    await killed.write(files, never)
    const other = await stageProject(await targetFolder(join(root, 'xy'), {}, around()))
    await make('x')
    expect(readdirSync(root).sort()).toEqual([other.folder.slice(root.length + 1), 'x'].sort())
  })

  test('may have a name up to the limit of the disk, and no longer', async () => {
    await make('ü'.repeat(127))
    expect(readdirSync(root)).toEqual(['ü'.repeat(127)])
    expect(await refusal(make('ü'.repeat(128)))).toContain('a name that is too long for this disk')
  })
})

describe('an existing folder', () => {
  beforeEach(() => mkdirSync(join(root, 'x')))

  test('is filled in place if it is empty', async () => {
    mkdirSync(join(root, 'x/.git'))
    const { ino } = statSync(join(root, 'x'))
    await make('x', {}, around(join(root, 'x')))
    expect(statSync(join(root, 'x')).ino).toBe(ino)
    expect(readdirSync(join(root, 'x')).sort()).toEqual(['.env', '.git', 'package.json', 'src'])
  })

  test('is filled through a link', async () => {
    symlinkSync(join(root, 'x'), join(root, 'link'))
    await make('link')
    expect(existsSync(join(root, 'x/src/main.ts'))).toBe(true)
  })

  test('is rejected if it is not empty, with the remedies', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) writeFileSync(join(root, 'x', name), '')
    expect(await refusal(make('x'))).toBe(
      '…/x is not empty: a, b, c and 2 more. Choose another folder; or add only missing files: --merge; or move it aside: --force.',
    )
  })

  test('is merged with: existing files stay unchanged', async () => {
    mkdirSync(join(root, 'x/src'))
    writeFileSync(join(root, 'x/package.json'), 'mine')
    writeFileSync(join(root, 'x/src/mine.ts'), 'mine')
    expect(await make('x', { merge: true })).toMatchObject({
      written: ['.env', 'src/main.ts'],
      left: ['package.json'],
    })
    expect(readFileSync(join(root, 'x/package.json'), 'utf8')).toBe('mine')
    expect(readdirSync(join(root, 'x')).sort()).toEqual(['.env', 'package.json', 'src'])
    expect(statSync(join(root, 'x/.env')).mode & 0o777).toBe(0o600)
  })

  test('is not merged through a link or a file in place of a folder', async () => {
    mkdirSync(join(root, 'elsewhere'))
    symlinkSync(join(root, 'elsewhere'), join(root, 'x/src'))
    expect(await refusal(make('x', { merge: true }))).toContain('…/x/src is a link; the project needs a folder there.')
    rmSync(join(root, 'x/src'))
    writeFileSync(join(root, 'x/src'), '')
    expect(await refusal(make('x', { merge: true }))).toContain('…/x/src is a file')
    expect(tree()).toEqual(['elsewhere', 'x', 'x/src'])
  })

  test('is moved aside by force, and restored if that fails', async () => {
    writeFileSync(join(root, 'x/mine'), 'mine')
    const target = await targetFolder(join(root, 'x'), { force: true }, around())
    const staged = await stageProject(target)
    await staged.remove()
    // A folder cannot be moved into itself.
    expect(await refusal(placeProject(target, { ...staged, folder: root }))).toContain('…/x cannot be used (EINVAL)')
    expect(tree()).toEqual(['x', 'x/mine'])
    expect(await make('x', { force: true })).toMatchObject({ movedTo: join(root, 'x.old-20261121-203000') })
    expect(readdirSync(root).sort()).toEqual(['x', 'x.old-20261121-203000'])
    expect(await refusal(make('x', { force: true }, around(join(root, 'x/src'))))).toContain('You are inside …/x')
  })
})

test("is not moved aside if it contains the user's keys", async () => {
  mkdirSync(join(root, 'me/.config/sibyl'), { recursive: true })
  symlinkSync(join(root, 'me'), join(root, 'link'))
  const surroundings = { cwd: tmpdir(), home: join(root, 'link/.config/sibyl') }
  expect(await refusal(make('me', { force: true }, surroundings))).toContain('…/me contains your keys')
  expect(readdirSync(root).sort()).toEqual(['link', 'me'])
})

test.each([
  ['a file', 'file', '…/file is a file. Delete it, or name another folder.'],
  ['a way through a file', 'file/x', '…/file/x has a parent that is not a folder. Choose another folder.'],
  [
    'a link to nothing',
    'dangling',
    '…/dangling is a link to nowhere, which does not exist. Delete it, or name another folder.',
  ],
  ['a link to itself', 'loop', '…/loop is a link to itself. Choose another folder.'],
  [
    'a folder in a node_modules',
    'node_modules/x',
    '…/node_modules/x is inside a node_modules, where Node does not run TypeScript. Choose another folder.',
  ],
  [
    'a path with a colon',
    'a:b',
    "…/a:b contains ':', which breaks the PATH of package managers. Choose another folder.",
  ],
])('rejects %s', async (_, path, words) => {
  writeFileSync(join(root, 'file'), '')
  symlinkSync('nowhere', join(root, 'dangling'))
  symlinkSync('loop', join(root, 'loop'))
  expect(await refusal(make(path))).toBe(words)
})

test.skipIf(process.getuid?.() === 0)('rejects a folder without write permission', async () => {
  chmodSync(root, 0o555)
  onTestFinished(() => chmodSync(root, 0o755))
  expect(await refusal(make('x'))).toContain('You may not write to …')
})
