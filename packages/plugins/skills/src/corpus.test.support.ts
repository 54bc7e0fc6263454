import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Files of a skill by path. */
export type SkillFolder = Readonly<Record<string, string | Uint8Array>>

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`

/** Folders in the shapes that published skills have. */
export const goodSkills: Readonly<Record<string, SkillFolder>> = {
  minimal: { 'SKILL.md': lines('---', 'name: minimal', 'description: Says how to do it.', '---', 'Do it.') },
  'all-members': {
    'SKILL.md': lines(
      '---',
      'name: all-members',
      'description: "Reads meters: pumps, stoves and lamps. Use it when a reading is to be checked."',
      'license: Apache-2.0. LICENSE.txt has it all.',
      'compatibility: Needs python3 and access to the internet',
      'metadata:',
      '  author: example-org',
      '  version: "1.0"',
      '  audience:',
      '    languages: [en, sw]',
      'allowed-tools: Bash(git:*) Read',
      '---',
      '',
      '# Meters',
      '',
      'Look at `references/pumps.md`, then run `scripts/check.js`.',
    ),
    'LICENSE.txt': 'Apache-2.0\n',
    'references/pumps.md': '# Pumps\n\nRead the dial from the left.\n',
    'scripts/check.js': 'console.log("checked")\n',
    'scripts/check.py': 'print("checked")\n',
    'assets/dial.png': new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0]),
  },
  'folded-text': {
    'SKILL.md': lines(
      '---',
      'name: folded-text',
      'description: >-',
      '  Words that go on',
      '  in a second line.',
      'allowed-tools:',
      '  - Read',
      '  - Write',
      '---',
      'Text.',
    ),
  },
  'kept-lines': {
    'SKILL.md': lines(
      '---',
      'name: kept-lines',
      'description: |',
      '  First line.',
      '  Second line.',
      '---',
      '',
      'One.',
      '',
      '---',
      '',
      'Two, after a rule.',
    ),
  },
  'long-description': {
    'SKILL.md': lines('---', 'name: long-description', `description: ${'word '.repeat(204)}end.`, '---', 'Text.'),
  },
  'unknown-members': {
    'SKILL.md': lines(
      '---',
      'name: unknown-members',
      "description: 'It''s quoted.'",
      'version: 1.2',
      'tags: [one, two]',
      'license:',
      '# a remark',
      'user-invocable: true',
      '---',
      'Text.',
    ),
  },
  windows: {
    'SKILL.md': '\ufeff---\r\nname: windows\r\ndescription: From Windows.\r\n---\r\n\r\nFirst.\r\nSecond.\r\n',
  },
  'fenced-code': {
    'SKILL.md': lines(
      '---',
      'name: fenced-code',
      'description: Ünïcödé, 你好 and emoji 🌍.',
      '---',
      '```yaml',
      '---',
      'name: other',
      '---',
      '```',
    ),
  },
}

/** A `SKILL.md` with this front matter. */
const withFront = (...front: readonly string[]): SkillFolder => ({ 'SKILL.md': lines('---', ...front, '---', 'Text.') })

/** A chain of lists, each ten times the one before. */
const aliasBomb = [
  'a: &a [x, x, x, x, x, x, x, x, x, x]',
  ...['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, index) => {
    const before = 'abcdefg'[index]
    return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(', ')}]`
  }),
]

/** Folders that are left out, and a part of what is told of each. */
export const badSkills: Readonly<Record<string, readonly [SkillFolder, string]>> = {
  'no-front-matter': [{ 'SKILL.md': '# Just text\n' }, 'does not begin with front matter'],
  'never-closed': [
    { 'SKILL.md': lines('---', 'name: never-closed', 'description: x') },
    'does not begin with front matter',
  ],
  empty: [{ 'SKILL.md': '' }, 'does not begin with front matter'],
  'no-name': [withFront('description: x'), 'name is missing'],
  'no-description': [withFront('name: no-description'), 'description is missing'],
  'blank-description': [withFront('name: blank-description', 'description: "  "'), 'description is empty'],
  'number-as-name': [withFront('name: 12', 'description: x'), 'name must be a string'],
  'list-as-description': [
    withFront('name: list-as-description', 'description: [a, b]'),
    'description must be a string',
  ],
  'too-long': [
    withFront('name: too-long', `description: ${'x'.repeat(1025)}`),
    'description has more than 1024 characters',
  ],
  'compatibility-too-long': [
    withFront('name: compatibility-too-long', 'description: x', `compatibility: ${'x'.repeat(501)}`),
    'compatibility has more than 500 characters',
  ],
  Capitals: [withFront('name: Capitals', 'description: x'), 'name must contain only lower-case'],
  'double--hyphen': [withFront('name: double--hyphen', 'description: x'), 'name must contain only lower-case'],
  [`a${'b'.repeat(64)}`]: [withFront(`name: a${'b'.repeat(64)}`, 'description: x'), 'name has more than 64 characters'],
  'other-name': [
    withFront('name: another-name', 'description: x'),
    "name is 'another-name', but the folder has another name",
  ],
  'colon-in-text': [
    withFront('name: colon-in-text', 'description: Use it: always: now'),
    'line 3 is not valid YAML: quote text that contains a colon',
  ],
  'twice-the-same': [withFront('name: twice-the-same', 'description: x', 'description: y'), 'line 4 is not valid YAML'],
  'tab-indented': [withFront('name: tab-indented', 'metadata:', '\tauthor: x'), 'not valid YAML'],
  'only-a-list': [withFront('- name', '- description'), 'its front matter is not a mapping'],
  'only-a-word': [withFront('word'), 'its front matter is not a mapping'],
  'alias-bomb': [withFront('name: alias-bomb', 'description: x', ...aliasBomb), 'has too many aliases'],
  'nested-deep': [
    withFront('name: nested-deep', 'description: x', `metadata: ${'['.repeat(5_000)}`),
    'nested too deep',
  ],
  'many-keys': [
    withFront('name: many-keys', 'description: x', ...Array.from({ length: 6_000 }, (_, index) => `k${index}: 1`)),
    'its front matter has more than 8,000 characters',
  ],
  'a-tag': [withFront('name: a-tag', 'description: x', 'metadata: !!js/function "x"'), 'metadata must be a mapping'],
  'no-instructions': [
    { 'SKILL.md': lines('---', 'name: no-instructions', 'description: x', '---', '', '') },
    'no instructions',
  ],
  'latin-one': [{ 'SKILL.md': new Uint8Array([45, 45, 45, 10, 0xe9, 0xff]) }, 'not valid UTF-8'],
  'a-nul': [withFront('name: a-nul', 'description: "x"', '\0'), 'not valid UTF-8'],
  'too-large': [{ 'SKILL.md': `---\nname: too-large\n---\n${'x'.repeat(64_000)}` }, 'is larger than 64,000 bytes'],
  'lower-case': [{ 'skill.md': lines('---', 'name: lower-case', '---') }, 'is named skill.md'],
}

/** A folder of skills that a test fills. */
export interface SkillsFolder extends Disposable {
  readonly path: string
  write(skill: string, files: SkillFolder): void
}

/** Makes a folder of skills. @example using folder = skillsFolder({ minimal: goodSkills.minimal }) */
export const skillsFolder = (skills: Readonly<Record<string, SkillFolder>> = {}): SkillsFolder => {
  const path = mkdtempSync(join(tmpdir(), 'sibyl-skills-'))
  const write = (skill: string, files: SkillFolder) => {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(join(path, skill, dirname(file)), { recursive: true })
      writeFileSync(join(path, skill, file), content)
    }
  }
  for (const [skill, files] of Object.entries(skills)) write(skill, files)
  return { path, write, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
