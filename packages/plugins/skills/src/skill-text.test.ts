import { expect, test } from 'vitest'
import { badSkills, goodSkills } from './corpus.test.support.ts'
import { readSkillText } from './skill-text.ts'

const read = (folder: string, content: string | Uint8Array | undefined) =>
  readSkillText(typeof content === 'string' ? new TextEncoder().encode(content) : content!, folder)

test.each(Object.entries(goodSkills))('%s is read', (name, files) => {
  expect(read(name, files['SKILL.md'])).toMatchObject({ skill: { name, description: expect.stringMatching(/\S/) } })
})

test.each(
  Object.entries(badSkills)
    .filter(([, [files]]) => 'SKILL.md' in files)
    .filter(([name]) => name !== 'too-large'),
)('%s is rejected with a reason', (name, [files, reason]) => {
  expect(read(name, files['SKILL.md'])).toEqual({ fault: expect.stringContaining(reason) })
})

test('block texts, quotes and lines are those of YAML', () => {
  const textOf = (name: string) => read(name, goodSkills[name]?.['SKILL.md'])
  expect(textOf('folded-text')).toMatchObject({ skill: { description: 'Words that go on in a second line.' } })
  expect(textOf('kept-lines')).toEqual({
    skill: {
      name: 'kept-lines',
      description: 'First line.\nSecond line.',
      instructions: 'One.\n\n---\n\nTwo, after a rule.',
    },
  })
  expect(textOf('unknown-members')).toMatchObject({ skill: { description: "It's quoted." } })
  expect(textOf('all-members')).toMatchObject({ skill: { compatibility: 'Needs python3 and access to the internet' } })
})

test('marks and line ends of Windows leave no trace', () => {
  expect(read('windows', goodSkills.windows?.['SKILL.md'])).toEqual({
    skill: { name: 'windows', description: 'From Windows.', instructions: 'First.\nSecond.' },
  })
})

test('a problem is reported in short form, however long its value is', () => {
  const long = read('odd', `---\nname: odd\ndescription: x\nmetadata: !q!${'z'.repeat(7_000)} x\n---\nText.\n`)
  expect(long).toEqual({ fault: expect.stringMatching(/^line 4 is not valid YAML: .{1,200}…$/) })
})

test('invisible characters leave no trace in a description, and joiners of letters stay', () => {
  const text = '---\nname: odd\ndescription: "a\\0b\\e[31mc\\ud83d می\u200cخواهم 👩\u200d👧\\nnext"\n---\nText.\n'
  expect(read('odd', text)).toMatchObject({ skill: { description: 'ab[31mc\ufffd می\u200cخواهم 👩\u200d👧\nnext' } })
})

test('a member named __proto__ changes nothing', () => {
  const text = '---\nname: odd\ndescription: x\n__proto__:\n  polluted: true\nconstructor: 1\n---\nText.\n'
  expect(read('odd', text)).toMatchObject({ skill: { name: 'odd' } })
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})
