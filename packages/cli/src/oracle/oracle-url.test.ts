import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { oracleUrl, parseOracleUrl } from './oracle-url.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sibyl-url-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const here = (env: Record<string, string> = {}, cwd = folder) => oracleUrl({}, { cwd, env })

test('without a project it is port 3000 of this computer', async () => {
  expect(await here({ PORT: '4711' })).toBe('http://localhost:3000')
})

test('within a project it is the port of the project', async () => {
  await writeFile(join(folder, 'oracle.config.json'), '{}')
  await mkdir(join(folder, 'src'))
  expect(await here()).toBe('http://localhost:3000')
  await writeFile(join(folder, '.env'), 'PORT=4000\n')
  expect(await here({}, join(folder, 'src'))).toBe('http://localhost:4000')
  expect(await here({ PORT: '4711' })).toBe('http://localhost:4711')
  await writeFile(join(folder, '.env'), 'PORT=many\n')
  expect(await here()).toBe('http://localhost:3000')
})

test('an argument has priority', async () => {
  await writeFile(join(folder, 'oracle.config.json'), '{}')
  await writeFile(join(folder, '.env'), 'PORT=4000\n')
  expect(await here({ SIBYL_URL: 'https://oracle.example.org/' })).toBe('https://oracle.example.org')
  const io = { cwd: folder, env: { SIBYL_URL: 'https://oracle.example.org' } }
  expect(await oracleUrl({ url: 'http://localhost:5000' }, io)).toBe('http://localhost:5000')
})

test('rejects an invalid address, and does not repeat it', async () => {
  const url = 'https://me:sesame@oracle.example.org'
  const byFlag = await oracleUrl({ url }, { cwd: folder, env: {} }).catch(error => error)
  expect(byFlag).toMatchObject({ code: 'usage_invalid' })
  const byVariable = await here({ SIBYL_URL: url }).catch(error => error)
  expect(byVariable).toMatchObject({ code: 'configuration_invalid' })
  expect(String(byFlag) + String(byVariable)).not.toContain('sesame')
})

test.each([
  ['localhost:4000', 'http://localhost:4000'],
  ['10.0.0.7:4000/field', 'http://10.0.0.7:4000/field'],
  ['oracle.example/field/', 'https://oracle.example/field'],
  ['HTTPS://oracle.example', 'https://oracle.example'],
  ['nowhere', undefined],
  ['localhost:x', undefined],
  ['me:secret@oracle.example', undefined],
  ['javascript:alert(1)', undefined],
  ['file:/etc/passwd', undefined],
])('%s is %s', (text, url) => {
  expect(parseOracleUrl(text)).toBe(url)
})
