import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { editEnvFile, editEnvText } from './edit-env-file.ts'
import { folderWith } from './project-folder.test.helper.ts'

test('changes a variable in place; everything else stays', () => {
  const text = '# Mine\nPORT=3000   # the usual\n\nexport HOST = "a b"\n  NAME=x\n# the end'
  expect(editEnvText(text, { PORT: '4000', HOST: '::1', NAME: 'Field Oracle' })).toBe(
    '# Mine\nPORT=4000\n\nexport HOST=::1\nNAME=Field Oracle\n# the end',
  )
})

test('adds a new one below its commented-out line, or at the end', () => {
  const text = '## The oracle\n\n# The port.\n# PORT=3000\n\n## Others\n# HOST=\n'
  expect(editEnvText(text, { PORT: '4000', NEW: '1' })).toBe(
    '## The oracle\n\n# The port.\n# PORT=3000\nPORT=4000\n\n## Others\n# HOST=\nNEW=1\n',
  )
  expect(editEnvText('A=1', { B: '2' })).toBe('A=1\nB=2\n')
  expect(editEnvText('', { B: '' })).toBe('B=\n')
})

test('changes the effective line of a variable that is set twice', () => {
  expect(parseEnv(editEnvText('A=1\nA=2\n', { A: '3' })).A).toBe('3')
})

test('ignores lines inside a value', () => {
  const text = 'KEY="begin\nPORT=1\n# HOST=2\nend"\nPORT=2\n'
  expect(editEnvText(text, { PORT: '3', HOST: '4' })).toBe('KEY="begin\nPORT=1\n# HOST=2\nend"\nPORT=3\nHOST=4\n')
  expect(editEnvText(text, { KEY: 'short' })).toBe('KEY=short\nPORT=2\n')
})

test('finds a variable after a byte order mark', async () => {
  const folder = folderWith({ '.env': '\uFEFFPORT=3000\r\nHOST=::\r\n' })
  await editEnvFile(join(folder, '.env'), { PORT: '4000' })
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('PORT=4000\r\nHOST=::\r\n')
})

test('keeps line breaks of Windows', () => {
  expect(editEnvText('A=1\r\n# B=\r\nC=3', { A: '2', B: '2', D: '4' })).toBe('A=2\r\n# B=\r\nB=2\r\nC=3\r\nD=4\r\n')
})

test.each([
  'plain',
  'two words',
  'a#b',
  ' # not a comment',
  `it's "quoted"`,
  '`x`',
  'back\\slash\\n',
  '$HOME $(X)',
  'ümläut 📦',
  '=',
])('Node reads back what was written: %j', async value => {
  const path = join(folderWith(), '.env')
  await editEnvFile(path, { BEFORE: '1', VALUE: value, AFTER: '2' })
  expect(parseEnv(readFileSync(path, 'utf8'))).toEqual({ BEFORE: '1', VALUE: value.trim(), AFTER: '2' })
})

test('writes for the owner only, and leaves no other file', async () => {
  const folder = folderWith({ '.env': 'A=1\n' })
  await editEnvFile(join(folder, '.env'), { A: '2' })
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['.env'])
})

test('keeps a link a link', async () => {
  const folder = folderWith({ 'secrets/env': 'A=1\n' })
  symlinkSync(join(folder, 'secrets/env'), join(folder, '.env'))
  await editEnvFile(join(folder, '.env'), { A: '2' })
  expect(lstatSync(join(folder, '.env')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(folder, 'secrets/env'), 'utf8')).toBe('A=2\n')
})

test('reports an unterminated quote instead of guessing', async () => {
  const folder = folderWith()
  const path = join(folder, '.env')
  writeFileSync(path, 'A="open\nB=1\n')
  await expect(editEnvFile(path, { B: 'the "end"' })).rejects.toThrow('it has an unterminated quote')
  expect(readFileSync(path, 'utf8')).toBe('A="open\nB=1\n')
})

test('reports a value that no .env can contain, by its name', async () => {
  const path = join(folderWith(), '.env')
  const error = await editEnvFile(path, { PIN_ENCRYPTION_KEY: `'"\`secret` }).catch(it => it)
  expect(error.message).toBe('The value of PIN_ENCRYPTION_KEY cannot be written to .env.')
  await expect(editEnvFile(path, { A: 'a\nB=2' })).rejects.toThrow('The value of A cannot')
  await expect(editEnvFile(path, { 'A\nB': '2' })).rejects.toThrow('cannot be written to .env')
})

test('reports a folder that is not writable', async () => {
  await expect(editEnvFile('/proc/.env', { A: '1' })).rejects.toMatchObject({
    code: 'configuration_invalid',
    message: expect.stringMatching(/^\/proc\/\.env cannot be written \(\w+\); it is unchanged\.$/),
  })
})
