import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPlugin, recordedLogger, testApp } from '@sibyl/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { goodSkills, skillsFolder } from './corpus.test.support.ts'
import { skills } from './skills.ts'

const samples = {
  name: 'field-survey',
  names: 'field-survey and plain-language',
  skill: 'field-survey',
  path: 'references/ussd-limits.md',
}

describe('keeps the rules of all plugins:', () => {
  for (const check of checkPlugin(() => skills(), { samples })) test(check.name, check.run)
})

test('it adds little to each turn', async () => {
  await using oracle = await testApp({ plugins: [skills()] })
  const [capability] = oracle.app.capabilities().filter(({ name }) => name === 'skills')
  expect(capability?.mode).toBe('always')
  expect(capability?.tokens).toBeLessThanOrEqual(350)
})

test('without a key people see, load and read the skills that come along', async () => {
  await using oracle = await testApp({ plugins: [skills()] })
  const listed = await oracle.chat('What skills are there?')
  expect(listed.text).toMatch(/^field-survey: Designs .+\nplain-language: Rewrites /)
  const loaded = await oracle.chat('Load the skill field survey', { session: 'one' })
  expect(loaded.text).toMatch(/^The skill field-survey is loaded\.\n\n# Field survey\n/)
  const read = await oracle.chat('Read references/ussd-limits.md of the skill field-survey', { session: 'one' })
  expect(read.text).toMatch(/^# What a phone over USSD can do\n/)
  const unknown = await oracle.chat('Load the skill field-surway')
  expect(unknown.text).toBe("That did not work. The skill 'field-surway' is unknown. Did you mean field-survey?")
})

test.each(['missing', 'a-file'])('a SKILLS_DIR that is not a folder (%s) prevents the start', async name => {
  using folder = skillsFolder()
  writeFileSync(join(folder.path, 'a-file'), '')
  const env = { SKILLS_DIR: join(folder.path, name) }
  const failure = await testApp({ plugins: [skills()], env }).catch((error: unknown) => error)
  expect(String(failure)).toContain("Plugin 'skills' env validation failed for 'SKILLS_DIR'")
  expect(String(failure)).not.toContain(folder.path)
})

test('without SKILLS_DIR it is `skills` in the working folder, also where that comes later', async () => {
  const before = process.cwd()
  const working = mkdtempSync(join(tmpdir(), 'sibyl-working-'))
  onTestFinished(() => {
    process.chdir(before)
    rmSync(working, { recursive: true, force: true })
  })
  process.chdir(working)
  const clock = { at: 1_800_000_000_000, now: () => clock.at }
  await using oracle = await testApp({ plugins: [skills()], clock })
  expect((await oracle.chat('What skills are there?')).text).not.toContain('minimal')
  using made = skillsFolder({ 'skills/minimal': goodSkills.minimal! })
  const { cpSync } = await import('node:fs')
  cpSync(join(made.path, 'skills'), join(working, 'skills'), { recursive: true })
  clock.at += 1_000
  expect((await oracle.chat('What skills are there?')).text).toMatch(/^minimal: Says how to do it\.$/m)
})

test('omissions are logged at the start, by file and member, and are not a boot error', async () => {
  using folder = skillsFolder({
    minimal: goodSkills.minimal!,
    broken: { 'SKILL.md': '---\nname: broken\n---\nText.\n' },
    'field-survey': { 'SKILL.md': '---\nname: field-survey\ndescription: Our own way.\n---\nOurs.\n' },
  })
  const logger = recordedLogger()
  await using oracle = await testApp({ plugins: [skills()], env: { SKILLS_DIR: folder.path }, logger })
  const reported = logger.lines.filter(({ level }) => level === 'warn' || level === 'info')
  expect(reported).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      message: 'a skill was left out',
      fields: expect.objectContaining({ file: 'broken/SKILL.md', fault: 'description is missing' }),
    }),
  )
  expect(reported).toContainEqual(
    expect.objectContaining({
      message: 'a skill of the operator replaces a bundled one',
      fields: expect.objectContaining({ skill: 'field-survey' }),
    }),
  )
  const { text } = await oracle.chat('What skills are there?')
  expect(text).toMatch(
    /^Left out: broken\/SKILL\.md: description is missing\.\nfield-survey: Our own way\.\nminimal: Says how to do it\.\nplain-language: /,
  )
})
