import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { badSkills, goodSkills, type SkillFolder, skillsFolder } from './corpus.test.support.ts'
import { skills } from './skills.ts'

/** An oracle with these skills, a clock that stands still, and a model that makes one call a turn. */
const oracleWith = async (path: string, steps: readonly ScriptedStep[]) => {
  const clock = { at: 1_800_000_000_000, now: () => clock.at }
  const model = scriptedModel(steps.flatMap(step => [step, 'Done.']))
  const oracle = await testApp({ plugins: [skills()], env: { SKILLS_DIR: path }, model, clock })
  return {
    ...oracle,
    /** What the tool of the next call gave, or the text of its failure. */
    async next(session = 'one') {
      clock.at += 1_000
      const { events } = await oracle.chat('Go on', { session })
      const end = events.find(({ type }) => type === 'tool-output-available' || type === 'tool-output-error')
      return (end?.type === 'tool-output-available' ? end.output : end?.errorText) as never
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  }
}

const load = (...names: string[]) => ({ tool: 'load_skill', input: { names } })
const list = { tool: 'list_skills', input: {} }

test('loads several at once, in order, with their additional files', async () => {
  using folder = skillsFolder(goodSkills)
  await using oracle = await oracleWith(folder.path, [load('windows', 'All Members', 'minimal', 'windows')])
  expect(await oracle.next()).toEqual({
    skills: [
      { name: 'windows', status: 'loaded', instructions: 'First.\nSecond.' },
      {
        name: 'all-members',
        status: 'loaded',
        compatibility: 'Needs python3 and access to the internet',
        instructions: '# Meters\n\nLook at `references/pumps.md`, then run `scripts/check.js`.',
        files: ['LICENSE.txt', 'assets/dial.png', 'references/pumps.md', 'scripts/check.js', 'scripts/check.py'],
      },
      { name: 'minimal', status: 'loaded', instructions: 'Do it.' },
    ],
  })
})

test('instructions in the conversation are not sent again, unless they changed', async () => {
  using folder = skillsFolder({ minimal: goodSkills.minimal!, windows: goodSkills.windows! })
  await using oracle = await oracleWith(folder.path, [
    load('minimal'),
    load('minimal', 'windows'),
    load('minimal'),
    load('minimal'),
  ])
  const statuses = async (session?: string) => {
    const { skills } = (await oracle.next(session)) as {
      skills: { name: string; status: string; instructions?: string }[]
    }
    return skills.map(({ name, status, instructions }) => [name, status, instructions])
  }
  expect(await statuses()).toEqual([['minimal', 'loaded', 'Do it.']])
  expect(await statuses()).toEqual([
    ['minimal', 'already_loaded', undefined],
    ['windows', 'loaded', 'First.\nSecond.'],
  ])
  expect(await statuses('another')).toEqual([['minimal', 'loaded', 'Do it.']])
  folder.write('minimal', { 'SKILL.md': '---\nname: minimal\ndescription: x\n---\nDo it twice.\n' })
  expect(await statuses()).toEqual([['minimal', 'loaded', 'Do it twice.']])
})

test('unknown names are reported, the others loaded', async () => {
  using folder = skillsFolder({ minimal: goodSkills.minimal! })
  await using oracle = await oracleWith(folder.path, [load('minimall', 'minimal'), load('nothing-like-it')])
  expect(await oracle.next()).toEqual({
    skills: [
      { name: 'minimall', status: 'failed', note: "The skill 'minimall' is unknown. Did you mean minimal?" },
      { name: 'minimal', status: 'loaded', instructions: 'Do it.' },
    ],
  })
  expect(await oracle.next()).toBe("The skill 'nothing-like-it' is unknown. list_skills lists the available skills.")
})

test('skills that are too long together are loaded one by one', async () => {
  const long = (name: string): SkillFolder => ({
    'SKILL.md': `---\nname: ${name}\ndescription: x\n---\n${'"'.repeat(60_000)}\n`,
  })
  using folder = skillsFolder({ one: long('one'), two: long('two') })
  await using oracle = await oracleWith(folder.path, [load('one', 'two'), load('two')])
  expect(await oracle.next()).toMatchObject({
    skills: [
      { name: 'one', status: 'loaded' },
      { name: 'two', status: 'failed', note: 'Too long together with the others. Load it separately.' },
    ],
  })
  expect(await oracle.next()).toMatchObject({ skills: [{ name: 'two', status: 'loaded' }] })
})

test('a skill that is added, changed, broken, fixed or removed changes at the next use', async () => {
  using folder = skillsFolder({ minimal: goodSkills.minimal! })
  await using oracle = await oracleWith(folder.path, [list, list, list, list, list])
  const listed = async () => {
    const { skills: text, left_out } = (await oracle.next()) as { skills: string; left_out?: string[] }
    return [text.split('\n').filter(line => !/^(field-survey|plain-language):/.test(line)), left_out]
  }
  expect(await listed()).toEqual([['minimal: Says how to do it.'], undefined])
  folder.write('windows', goodSkills.windows!)
  expect(await listed()).toEqual([['minimal: Says how to do it.', 'windows: From Windows.'], undefined])
  folder.write('minimal', { 'SKILL.md': '---\nname: minimal\n---\nDo it.\n' })
  expect(await listed()).toEqual([['windows: From Windows.'], ['minimal/SKILL.md: description is missing']])
  folder.write('minimal', goodSkills.minimal!)
  rmSync(join(folder.path, 'windows'), { recursive: true })
  expect(await listed()).toEqual([['minimal: Says how to do it.'], undefined])
  rmSync(folder.path, { recursive: true })
  expect(await listed()).toEqual([[], ['SKILLS_DIR: does not exist']])
})

test('every bad one is left out with its reason, and none keeps the good ones away', async () => {
  const bad = Object.entries(badSkills)
  using folder = skillsFolder({
    minimal: goodSkills.minimal!,
    ...Object.fromEntries(bad.slice(0, 20).map(([name, [files]]) => [name, files])),
    'not-a-skill': { 'README.md': 'Nothing.' },
  })
  await using oracle = await oracleWith(folder.path, [list])
  const { skills: text, left_out } = (await oracle.next()) as { skills: string; left_out: string[] }
  expect(text).toContain('minimal: ')
  expect(left_out).toHaveLength(20)
  for (const [name, [, reason]] of bad.slice(0, 20)) {
    expect(left_out.find(line => line.startsWith(`${name}/SKILL.md: `))).toContain(reason)
  }
})

test('with very many the list stays short, and those beyond the limit are reported', async () => {
  const names = Array.from({ length: 201 }, (_, index) => `skill-${1_000 + index}`)
  const content = (name: string) => `---\nname: ${name}\ndescription: Many ${'"word" '.repeat(140)}\n---\nText.\n`
  using folder = skillsFolder(Object.fromEntries(names.map(name => [name, { 'SKILL.md': content(name) }])))
  await using oracle = await oracleWith(folder.path, [list])
  const { skills: text, left_out } = (await oracle.next()) as { skills: string; left_out: string[] }
  expect(text.split('\n')).toHaveLength(200)
  expect(text.length).toBeLessThan(50_000)
  expect(left_out).toContain('skill-1200/SKILL.md: is beyond the first 200 skills')
})
