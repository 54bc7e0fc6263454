import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openProject } from './open-project.ts'
import { findProject, projectPort } from './project.ts'
import { folderWith } from './project-folder.test.helper.ts'

const open = (cwd: string, env: Record<string, string> = {}) => openProject({ cwd, env })

test('finds a project from any folder in it', async () => {
  const folder = folderWith({ 'oracle.config.json': '{}', 'src/plugins/deep/here.ts': '' })
  expect(await findProject({ cwd: join(folder, 'src/plugins/deep') })).toBe(folder)
  expect(await findProject({ cwd: folder })).toBe(folder)
  expect((await open(join(folder, 'src'))).folder).toBe(folder)
})

test('outside a project it explains how to get one', async () => {
  const folder = folderWith()
  expect(await findProject({ cwd: folder })).toBeUndefined()
  await expect(open(folder)).rejects.toMatchObject({
    code: 'project_missing',
    exitCode: 3,
    message: `There is no oracle here: neither ${folder} nor a folder above it has an oracle.config.json.`,
    remedy: 'Go to the folder of the oracle, or create one: sibyl new',
  })
})

test('a setting comes from the environment, then .env, then the config; blank ones are unset', async () => {
  const folder = folderWith({
    'oracle.config.json': '{"name":"Field Oracle","model":"gpt-5","network":"testnet","price":"free"}',
    '.env': 'PORT=4000\nLLM_MODEL="from .env" # yes\nORACLE_NAME=\nNETWORK=\n',
  })
  const { setting, envFile, config } = await open(folder, { PORT: '5000', NETWORK: 'mainnet', HOST: '  ' })
  expect(['PORT', 'LLM_MODEL', 'ORACLE_NAME', 'NETWORK', 'HOST', 'NONE', 'constructor'].map(setting)).toEqual([
    '5000',
    'from .env',
    'Field Oracle',
    'mainnet',
    undefined,
    undefined,
    undefined,
  ])
  expect(envFile).toEqual({ PORT: '4000', LLM_MODEL: 'from .env', ORACLE_NAME: '', NETWORK: '' })
  expect(config.price).toBe('free')
})

test('a file that begins with a byte order mark is read the same', async () => {
  const folder = folderWith({ 'oracle.config.json': '{}', '.env': '\uFEFFPORT=4000\r\nHOST=::\r\n' })
  expect((await open(folder)).envFile).toEqual({ PORT: '4000', HOST: '::' })
  expect(await projectPort({ cwd: folder, env: {} })).toBe(4000)
})

test('a variable that is blank in the environment hides the one in .env, as in a running oracle', async () => {
  const folder = folderWith({ 'oracle.config.json': '{}', '.env': 'OPENAI_API_KEY=from-file\n' })
  expect((await open(folder, { OPENAI_API_KEY: '' })).setting('OPENAI_API_KEY')).toBeUndefined()
})

test.each([
  ['{\n  "name": "x",\n}', 'is not valid JSON: see line 3.'],
  ['', 'is not valid JSON: it is empty.'],
  ['name = "x"', 'is not valid JSON.'],
])('reports the position of invalid JSON in a config: %j', async (text, report) => {
  const folder = folderWith({ 'oracle.config.json': text })
  await expect(open(folder)).rejects.toMatchObject({
    code: 'configuration_invalid',
    exitCode: 3,
    message: `${join(folder, 'oracle.config.json')} ${report}`,
  })
})

test.each([
  ['{"nmae":"x"}', "oracle.config.json has an unknown key 'nmae'.", 'Did you mean name?'],
  ['{"name":4}', "oracle.config.json has an invalid 'name'.", 'Fix it in oracle.config.json.'],
  ['[]', 'oracle.config.json is not an object.', 'Fix it in oracle.config.json.'],
])('reports a config that an oracle rejects with the same text: %s', async (text, report, remedy) => {
  const error = await open(folderWith({ 'oracle.config.json': text })).catch(it => it)
  expect(error).toMatchObject({ code: 'configuration_invalid', message: report })
  expect(error.remedy).toContain(remedy)
})

test('reports an invalid project file, without its content', async () => {
  const folder = folderWith({ 'oracle.config.json': '{}' })
  const violation = () => open(folder).catch(({ message }) => message)
  mkdirSync(join(folder, '.env'))
  expect(await violation()).toBe(`${join(folder, '.env')} is not a file.`)

  const long = folderWith({ 'oracle.config.json': ' '.repeat(300_000) })
  await expect(open(long)).rejects.toThrow('has more than 256 KiB.')

  const pipe = folderWith({ 'oracle.config.json': '{}' })
  execFileSync('mkfifo', [join(pipe, '.env')])
  await expect(open(pipe)).rejects.toThrow('is not a file.')
})
