import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { goodSkills, type SkillsFolder, skillsFolder } from './corpus.test.support.ts'
import { readInside } from './read-inside.ts'
import { listSkillFiles } from './skill-files.ts'
import { skills } from './skills.ts'

interface FilePage {
  readonly path: string
  readonly text: string
  readonly next_offset?: number
}

/** What `read_skill_file` gives for each input, or the text of its failure. */
const readAll = async (
  folder: SkillsFolder,
  inputs: readonly { readonly path: string; readonly offset?: number; readonly skill?: string }[],
): Promise<(FilePage | string)[]> => {
  const calls = inputs.map(input => ({ tool: 'read_skill_file', input: { skill: 'all-members', ...input } }))
  const model = scriptedModel(calls.flatMap(call => [call, 'Done.']))
  await using oracle = await testApp({ plugins: [skills()], env: { SKILLS_DIR: folder.path }, model })
  const results: (FilePage | string)[] = []
  for (const _ of inputs) {
    const { events } = await oracle.chat('Go on')
    const end = events.find(({ type }) => type === 'tool-output-available' || type === 'tool-output-error')
    results.push(end?.type === 'tool-output-available' ? (end.output as never) : String(end?.errorText))
  }
  return results
}

const allMembers = () => skillsFolder({ 'all-members': goodSkills['all-members']! })

test('texts are read whole, long ones in parts that fit together, others are described', async () => {
  using folder = allMembers()
  const long = Array.from({ length: 2_900 }, (_, index) => `line ${index} 🌍`).join('\n')
  folder.write('all-members', { 'references/long.md': long, 'references/one-line.txt': `${'a'.repeat(19_999)}🌍b` })
  const [pump, first, dial, dotted, tooFar, oneLine] = await readAll(folder, [
    { path: 'references/pumps.md' },
    { path: 'references/long.md' },
    { path: 'assets/dial.png' },
    { path: './SKILL.md' },
    { path: 'LICENSE.txt', offset: 500 },
    { path: 'references/one-line.txt' },
  ])
  expect(pump).toEqual({ path: 'references/pumps.md', text: '# Pumps\n\nRead the dial from the left.\n' })
  expect(dial).toEqual({ path: 'assets/dial.png', text: '(not text: 10 bytes, not shown)' })
  expect(dotted).toMatchObject({ path: 'SKILL.md', text: expect.stringMatching(/^---\nname: all-members\n/) })
  expect(tooFar).toBe("'LICENSE.txt' ends at 11 characters.")
  expect(oneLine).toEqual({ path: 'references/one-line.txt', text: 'a'.repeat(19_999), next_offset: 19_999 })
  const page = first as FilePage
  const [second] = await readAll(folder, [{ path: 'references/long.md', offset: page.next_offset! }])
  expect(page.text + (second as FilePage).text).toBe(long)
  expect(page.text.endsWith('\n')).toBe(true)
})

test('no path leads out of the folder, however it is written', async () => {
  using folder = allMembers()
  writeFileSync(join(folder.path, 'secret.txt'), 'secret')
  folder.write('all-members', { '.env': 'TOKEN=secret', '.git/config': 'secret', 'node_modules/a/index.js': 'secret' })
  const paths = [
    '../secret.txt',
    'references/../../secret.txt',
    './../secret.txt',
    '..\\secret.txt',
    '%2e%2e/secret.txt',
    '..%2fsecret.txt',
    '%2e%2e%5csecret.txt',
    '\u2024\u2024/secret.txt',
    '\uff0e\uff0e/secret.txt',
    '....//secret.txt',
    join(folder.path, 'secret.txt'),
    `file://${join(folder.path, 'secret.txt')}`,
    '/etc/passwd',
    'C:\\Windows\\win.ini',
    '\\\\server\\share\\secret.txt',
    '~/.ssh/id_ed25519',
    'SKILL.md\0.txt',
    'references/pumps.md/../../../secret.txt',
    '.env',
    '.git/config',
    'node_modules/a/index.js',
    '.',
    '..',
    'references',
    'references/',
    '/dev/zero',
    'license.TXT',
    'x'.repeat(1_000),
    'LICENSE.txt::$DATA',
    'CON',
    '__proto__',
  ]
  for (const [index, result] of (
    await readAll(
      folder,
      paths.map(path => ({ path })),
    )
  ).entries()) {
    expect(result, paths[index]).toMatch(
      /^'.*' of the skill 'all-members' does not exist\. Its files: LICENSE\.txt, SKILL\.md, /s,
    )
    expect(result).not.toContain('TOKEN')
  }
  expect(await readAll(folder, [{ skill: '../all-members', path: 'LICENSE.txt' }])).toEqual([
    "The skill '../all-members' is unknown. Did you mean all-members?",
  ])
})

test.skipIf(process.platform === 'win32')('rejects links out of the folder, follows links inside of it', async () => {
  using folder = allMembers()
  using outside = skillsFolder({ away: goodSkills.minimal!, 'all-members': { 'hidden.md': 'secret' } })
  const inSkill = (path: string) => join(folder.path, 'all-members', path)
  symlinkSync(join(outside.path, 'away/SKILL.md'), inSkill('out.md'))
  symlinkSync(join(outside.path, 'away'), inSkill('references/out'))
  symlinkSync('../../..', inSkill('references/up'))
  symlinkSync('/etc/passwd', inSkill('passwd'))
  symlinkSync('/dev/zero', inSkill('zero'))
  symlinkSync('nowhere', inSkill('broken'))
  symlinkSync('itself', inSkill('itself'))
  symlinkSync('references/pumps.md', inSkill('inside.md'))
  symlinkSync('references', inSkill('again'))
  linkSync(inSkill('LICENSE.txt'), inSkill('hard.txt'))
  execFileSync('mkfifo', [inSkill('pipe')])
  const refused = (path: string, why: string) =>
    expect.stringMatching(`^'${path}' of the skill 'all-members' ${why}\\.`)
  const paths = ['out.md', 'references/out', 'references/up', 'passwd', 'zero', 'references/out/SKILL.md']
  const missing = ['broken', 'itself', 'pipe', 'again/pumps.md', 'references/up/secret.txt']
  const read = (list: readonly string[]) =>
    readAll(
      folder,
      list.map(path => ({ path })),
    )
  expect((await read(paths)).slice(0, 5)).toEqual(
    paths.slice(0, 5).map(path => refused(path, 'leads out of its folder')),
  )
  expect(await read(missing)).toEqual(missing.map(path => refused(path, 'does not exist')))
  expect(await read(['inside.md', 'hard.txt'])).toEqual([
    { path: 'inside.md', text: '# Pumps\n\nRead the dial from the left.\n' },
    { path: 'hard.txt', text: 'Apache-2.0\n' },
  ])
})

test.skipIf(process.platform === 'win32')(
  'skill folders behind links are followed inside, and refused outward',
  async () => {
    using folder = skillsFolder({ '..data/minimal': goodSkills.minimal!, windows: goodSkills.windows! })
    using outside = skillsFolder({ away: { 'SKILL.md': '---\nname: away\ndescription: x\n---\nText.\n' } })
    symlinkSync('..data/minimal', join(folder.path, 'minimal'))
    symlinkSync(join(outside.path, 'away'), join(folder.path, 'away'))
    rmSync(join(folder.path, 'windows/SKILL.md'))
    symlinkSync(join(outside.path, 'away/SKILL.md'), join(folder.path, 'windows/SKILL.md'))
    mkdirSync(join(folder.path, 'piped'))
    execFileSync('mkfifo', [join(folder.path, 'piped/SKILL.md')])
    const model = scriptedModel([{ tool: 'list_skills', input: {} }, 'Done.'])
    await using oracle = await testApp({ plugins: [skills()], env: { SKILLS_DIR: folder.path }, model })
    const { events } = await oracle.chat('Go on')
    expect(events.find(({ type }) => type === 'tool-output-available')).toMatchObject({
      output: {
        skills: expect.stringMatching(/^minimal: Says how to do it\.\n/),
        left_out: [
          'away/SKILL.md: is behind a link out of the skills folder',
          'piped/SKILL.md: is not a regular file',
          'windows/SKILL.md: leads out of its folder',
        ],
      },
    })
  },
)

test('files that are nested too deep are reported as further ones', async () => {
  using folder = allMembers()
  folder.write('all-members', { [`${'d/'.repeat(9)}deep.md`]: 'x' })
  expect(await listSkillFiles(join(folder.path, 'all-members'))).toMatchObject({ isCut: true })
})

test('a name with an accent is found in both its writings', async () => {
  using folder = allMembers()
  folder.write('all-members', { 'references/caf\u00e9.md': 'One.', 'references/ni\u006e\u0303o.md': 'Two.' })
  const [one, two] = await readAll(folder, [{ path: 'references/cafe\u0301.md' }, { path: 'references/ni\u00f1o.md' }])
  expect([one, two]).toMatchObject([{ text: 'One.' }, { text: 'Two.' }])
})

test('a file that is too large is rejected', async () => {
  using folder = allMembers()
  folder.write('all-members', { 'assets/large.txt': 'x'.repeat(1_000_001) })
  expect(await readAll(folder, [{ path: 'assets/large.txt' }])).toEqual([
    "'assets/large.txt' of the skill 'all-members' is larger than 1,000,000 bytes.",
  ])
})

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('reports an unreadable file', async () => {
  using folder = allMembers()
  chmodSync(join(folder.path, 'all-members/LICENSE.txt'), 0)
  expect(await readAll(folder, [{ path: 'LICENSE.txt' }])).toEqual([
    "'LICENSE.txt' of the skill 'all-members' cannot be read by the oracle (permission denied).",
  ])
})

describe.skipIf(process.platform === 'win32')('what counts is the file that was opened:', () => {
  test('a folder that turns into a link out while its files are read gives nothing of what is there', async () => {
    using folder = skillsFolder({ turning: { 'a/file.txt': 'inside' } })
    using outside = skillsFolder({ secret: { 'file.txt': 'secret' } })
    const root = join(folder.path, 'turning')
    let isEnded = false
    const turn = (async () => {
      while (!isEnded) {
        renameSync(join(root, 'a'), join(root, 'b'))
        symlinkSync(join(outside.path, 'secret'), join(root, 'a'))
        await new Promise(resolve => setImmediate(resolve))
        rmSync(join(root, 'a'))
        renameSync(join(root, 'b'), join(root, 'a'))
        await new Promise(resolve => setImmediate(resolve))
      }
    })()
    const seen = new Set<string>()
    for (let round = 0; round < 300; round += 1) {
      const read = await readInside(root, 'a/file.txt', 1_000)
      seen.add('bytes' in read ? Buffer.from(read.bytes).toString() : read.refused)
    }
    isEnded = true
    await turn
    expect(seen).not.toContain('secret')
    expect(seen).toContain('inside')
    expect(seen).toContain('leads out of its folder')
  })

  test('a folder whose name begins like that of another is not inside of it', async () => {
    using folder = skillsFolder({ one: { 'link.txt': '' }, 'one-more': { 'file.txt': 'secret' } })
    rmSync(join(folder.path, 'one/link.txt'))
    symlinkSync('../one-more/file.txt', join(folder.path, 'one/link.txt'))
    expect(await readInside(join(folder.path, 'one'), 'link.txt', 1_000)).toEqual({
      refused: 'leads out of its folder',
    })
  })
})
