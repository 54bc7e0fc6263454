import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
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
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartError } from '../errors/start-error.ts'
import { loadEnvFile, type MadeSecret, type Variables } from './load-env-file.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sibyl-env-'))
  path = join(folder, '.env')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const names = ['ORACLE_MNEMONIC', 'PIN_ENCRYPTION_KEY', 'ORACLE_OPERATOR_TOKEN']
const secrets = names.map(
  (variable): MadeSecret => ({
    variable,
    description: `The oracle's ${variable}.`,
    make: () => `${randomBytes(8).toString('hex')} ${randomBytes(8).toString('hex')}`,
  }),
)
const load = (given: Variables = {}) => {
  const variables = { ...given }
  const remarks: string[] = []
  loadEnvFile(path, { variables, secrets, report: remark => remarks.push(remark) })
  return { remarks, variables }
}
const modeOf = (file: string) => statSync(file).mode & 0o777

test('the first run creates the secrets of this computer, readable by the owner only, and prints one line', () => {
  const { remarks, variables } = load()
  expect(remarks).toEqual([`Made in ${path} (0600): ORACLE_MNEMONIC, PIN_ENCRYPTION_KEY, ORACLE_OPERATOR_TOKEN`])
  for (const name of names) expect(variables[name]).toMatch(/^[0-9a-f]{16} [0-9a-f]{16}$/)
  expect(modeOf(path)).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['.env'])
})

test('the second run finds them and prints nothing', () => {
  const first = load()
  expect(load()).toEqual({ remarks: [], variables: first.variables })
})

test('a file that begins with a byte order mark is read the same', () => {
  writeFileSync(path, '\uFEFFPORT=4000\r\nHOST=::\r\n', { mode: 0o600 })
  const { variables } = load()
  expect(variables).toMatchObject({ PORT: '4000', HOST: '::' })
  expect(Object.keys(variables).toSorted()).toEqual([...names, 'HOST', 'PORT'].toSorted())
  expect(load().variables).toEqual(variables)
})

test('keeps existing values, adds missing ones', () => {
  writeFileSync(path, '# mine\nPORT=4000\nORACLE_OPERATOR_TOKEN=0123456789abcdef', { mode: 0o600 })
  const { remarks, variables } = load()
  expect(remarks.join()).toMatch(/: ORACLE_MNEMONIC, PIN_ENCRYPTION_KEY$/)
  expect(variables).toMatchObject({ PORT: '4000', ORACLE_OPERATOR_TOKEN: '0123456789abcdef' })
  expect(readFileSync(path, 'utf8')).toMatch(
    /^# mine\nPORT=4000\nORACLE_OPERATOR_TOKEN=0123456789abcdef\n\n# [^\n]+\nORACLE_MNEMONIC=\w+ /,
  )
})

test('names a blank variable, and keeps it blank', () => {
  writeFileSync(path, 'ORACLE_MNEMONIC=\nPIN_ENCRYPTION_KEY=\nORACLE_OPERATOR_TOKEN=\n', { mode: 0o600 })
  expect(load()).toEqual({ remarks: [], variables: Object.fromEntries(names.map(name => [name, ''])) })
})

test.each(['', '\ufeff'])('reports a file in UTF-16 (%j at its start)', start => {
  writeFileSync(path, Buffer.from(`${start}PORT=4000\r\n`, 'utf16le'), { mode: 0o600 })
  expect(() => load()).toThrow(/is not UTF-8 text, but perhaps UTF-16.*Save it as UTF-8/)
})

test('the environment overrides the file', () => {
  writeFileSync(path, 'PORT=4000\nHOST=0.0.0.0\n')
  const { variables } = load({ PORT: '5000', ORACLE_MNEMONIC: '' })
  expect(variables).toMatchObject({ PORT: '5000', HOST: '0.0.0.0', ORACLE_MNEMONIC: '' })
  expect(readFileSync(path, 'utf8')).not.toContain('ORACLE_MNEMONIC')
})

test.each([{ NODE_ENV: 'production' }, Object.fromEntries(names.map(name => [name, 'x']))])(
  'creates nothing with %j',
  given => {
    expect(load(given)).toEqual({ remarks: [], variables: given })
    expect(readdirSync(folder)).toEqual([])
  },
)

test('an inspection by the sibyl command does not change the file', () => {
  writeFileSync(path, 'PORT=4000\n')
  chmodSync(path, 0o644)
  expect(load({ SIBYL_INSPECT: '3' })).toEqual({ remarks: [], variables: { SIBYL_INSPECT: '3', PORT: '4000' } })
  expect(readFileSync(path, 'utf8')).toBe('PORT=4000\n')
  expect(modeOf(path)).toBe(0o644)
})

test('fixes a file that others can read, with a message', () => {
  load()
  chmodSync(path, 0o644)
  expect(load().remarks).toEqual([expect.stringContaining('(mode 0644); its mode is now 0600')])
  expect(modeOf(path)).toBe(0o600)
})

test('keeps a link a link', () => {
  const target = join(folder, 'kept-elsewhere')
  writeFileSync(target, 'PORT=4000\n', { mode: 0o600 })
  symlinkSync(target, path)
  const { variables } = load()
  expect(readFileSync(target, 'utf8')).toContain(`ORACLE_OPERATOR_TOKEN=${variables.ORACLE_OPERATOR_TOKEN}`)
})

test('if the file is not writable, variables stay unset, with a message', () => {
  rmSync(folder, { recursive: true })
  const { remarks, variables } = load()
  expect(remarks).toEqual([expect.stringContaining('.env cannot be written (ENOENT), so these variables stay unset')])
  expect(variables).toEqual({})
})

test('leaves a dangling link alone', () => {
  symlinkSync(join(folder, 'nowhere'), path)
  expect(load()).toEqual({
    remarks: [expect.stringContaining('is a broken link, so these variables stay unset')],
    variables: {},
  })
  expect(readdirSync(folder)).toEqual(['.env'])
})

test('adds nothing after an unterminated quote', () => {
  const text = "GREETING='hello\n"
  writeFileSync(path, text, { mode: 0o600 })
  expect(load().remarks).toEqual([
    expect.stringContaining('has an unterminated quote, so these variables stay unset: ORACLE_'),
  ])
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('an unreadable file is an error with a remedy', () => {
  path = folder
  expect(() => load()).toThrow(StartError)
  expect(() => load()).toThrow('cannot be read (EISDIR)')
})

test('several concurrent first runs agree on one file', async () => {
  const module = JSON.stringify(new URL('./load-env-file.ts', import.meta.url).href)
  const program = `
    const variables = {}
    const secrets = ${JSON.stringify(names)}.map(variable => ({ variable, description: '', make: () => String(process.pid) }))
    ;(await import(${module})).loadEnvFile(${JSON.stringify(path)}, { variables, secrets, tell() {} })
    console.log(JSON.stringify(variables))`
  const outputs = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const args = ['--conditions=sibyl-source', '--input-type=module', '--eval', program]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
      return output
    }),
  )
  expect(new Set(outputs).size).toBe(1)
  expect(Object.keys(JSON.parse(outputs[0] ?? '')).sort()).toEqual(names.toSorted())
  expect(readdirSync(folder)).toEqual(['.env'])
})
