import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { startHomeserverProcess } from '@sibyl/plugin-matrix/testing'
import { reservePort } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { openHomeFolder } from '../../home/home-folder.ts'
import { run } from '../../main.ts'
import { fakePackages } from '../../scaffold/packages/fake-packages.test.helper.ts'
import { keepSigningPort } from '../../signing/listen.ts'
import { Phone } from '../../signing/phone.test.helper.ts'
import { SigningTerminal } from '../../signing/signing-terminal.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { temporaryPlace } from './new.test.helper.ts'

const clear = '\u0015'
/** Clears the line that is being typed. */

const open = async (columns = 80) => {
  const place = temporaryPlace()
  await fakePackages(place.packages)
  return { ...place, terminal: new FakeTerminal(place.env, true, columns, place.work) }
}

test('answers on a terminal create a registered oracle', async () => {
  const { terminal, work, home } = await open()
  const ended = run(['new'], terminal.io)
  const answer = async (question: string, shown: string, bytes: string) => {
    await terminal.until(question)
    await terminal.until(shown)
    terminal.type(bytes)
  }
  await answer('Where?', './field-oracle', `./Größe 1\r`)
  await answer('How will you sign?', 'Your existing mnemonic', '\r')
  await answer('Which model answers?', 'Another one', '\u001b[B')
  await answer('● Another one', '', '\r')
  await answer('Its name', 'gpt-5-mini', `two words\r`)
  await answer('has no spaces', '', `${clear}gpt-5-mini\r`)
  await answer('Create Größe 1?', 'Change the name', '\u001b[B')
  await answer('● Change the name', '', '\r')
  await answer('Which network?', 'mainnet', '\r')
  await answer('What is the name of the oracle?', 'Größe 1', `Rain of Lusaka\r`)
  await answer('What is its purpose?', 'Answers questions.', '\r')
  await answer('What does a conversation cost?', 'free', '\r')
  expect(await ended, terminal.errors).toBe(0)

  const project = join(work, 'Größe 1')
  const config = JSON.parse(readFileSync(join(project, 'oracle.config.json'), 'utf8'))
  expect(config).toMatchObject({ name: 'Rain of Lusaka', price: 'free', entityDid: expect.stringMatching(/^did:web:/) })
  const env = parseEnv(readFileSync(join(project, '.env'), 'utf8'))
  expect(env).toMatchObject({ PORT: '4000', NETWORK: 'devnet' })
  expect(statSync(join(project, '.env')).mode & 0o777).toBe(0o600)
  expect(terminal.text).toContain(config.entityDid)
  expect(terminal.text).toContain(
    "  cd 'Größe 1' && npm install && npm run dev\n\nThen, in another terminal, in that folder:\n\n  npx sibyl chat\n",
  )
  const secrets = [env.ORACLE_MNEMONIC, env.PIN_ENCRYPTION_KEY, env.ORACLE_OPERATOR_TOKEN]
  for (const secret of secrets) expect(terminal.raw + terminal.errors).not.toContain(secret)
  expect([readdirSync(work), readdirSync(join(home, 'unfinished'))]).toEqual([['Größe 1'], []])
})

test('a phone signs, and its login is used for the next oracle', async () => {
  const { env, work, home } = await open()
  await openHomeFolder(home)
  await keepSigningPort(home, await reservePort())
  const terminal = new SigningTerminal(env)
  const io = { ...terminal.io, cwd: work }
  const flags = [
    '--network',
    'devnet',
    '--name',
    'Rain',
    '--description',
    'It.',
    '--price',
    'free',
    '--model',
    'offline',
  ]
  const call = (dir: string) =>
    run(['new', dir, '--auth', 'qr', ...flags, '--api-url', 'http://localhost:3000', '--port', '3000'], io)
  const first = call('one')
  const phone = new Phone(await terminal.link())
  await phone.sign()
  await terminal.terminal.until('Does your phone show')
  terminal.terminal.type('y')
  expect(await first, terminal.text).toBe(0)
  expect(terminal.text).toContain('Rain')
  const controllersOf = (dir: string) =>
    parseEnv(readFileSync(join(work, dir, '.env'), 'utf8')).ORACLE_CONTROLLERS?.split(',')
  expect(controllersOf('one')).toEqual([phone.key.did, expect.stringMatching(/^did:key:/)])
  expect(terminal.terminal.text).toContain(`  signed by  your phone\n             ${phone.key.did}\n`)

  expect(await call('two'), terminal.text).toBe(0)
  expect(terminal.terminal.text).toContain('has authorized this computer until')
  expect(controllersOf('two')).toEqual(controllersOf('one'))
})

test('the messaging bot has a user, a room and a token in .env', async () => {
  await using homeserver = await startHomeserverProcess()
  const { url, control } = homeserver
  const { env, work } = await open()
  const script = new FakeTerminal({ ...env, MATRIX_BASE_URL: url }, false, 80, work)
  expect(await run(['new', 'field-oracle', '--yes', '--no-register', '--json'], script.io), script.errors).toBe(0)
  const { bot } = JSON.parse(script.text)
  expect(await control.requests('profile')).toMatchObject([{ user: bot, body: { displayname: 'Field Oracle' } }])
  const written = parseEnv(readFileSync(join(work, 'field-oracle/.env'), 'utf8'))
  expect(written).toMatchObject({
    MATRIX_BASE_URL: url,
    MATRIX_ORACLE_ADMIN_USER_ID: bot,
    MATRIX_ORACLE_ACCOUNT_ROOM_ID: expect.stringMatching(/^!/),
  })
  const secrets = [written.MATRIX_ORACLE_ADMIN_PASSWORD, written.MATRIX_ORACLE_ADMIN_ACCESS_TOKEN]
  for (const secret of secrets) expect(script.text + script.errors).not.toContain(secret)
})

test('Ctrl-C at a question leaves nothing', async () => {
  const { terminal, work, home } = await open(40)
  const ended = run(['new', 'x', '--auth', 'mnemonic'], terminal.io)
  await terminal.until('Another one')
  terminal.type('\u0003')
  expect(await ended).toBe(130)
  expect(terminal.errors).toContain('Nothing was written.')
  expect([readdirSync(work), readdirSync(join(home, 'unfinished'))]).toEqual([[], []])
})

test('creates the project of each template without a question', async () => {
  const { terminal, work } = await open()
  for (const template of ['minimal', 'weather', 'ussd', 'twins', 'web']) {
    const called = ['new', template, '--yes', '--no-register', '--no-git', '--template', template]
    expect(await run(called, terminal.io), terminal.errors).toBe(0)
    expect(readdirSync(join(work, template))).toContain('oracle.config.json')
  }
  expect(readdirSync(work)).toEqual(['minimal', 'twins', 'ussd', 'weather', 'web'])
})

test.each([
  [['--auth', 'paper'], "Option '--auth <method>' argument 'paper' is invalid. Allowed choices are qr, mnemonic."],
  [['--port', '0'], "Option '--port <port>' argument '0' is invalid. Expected a number from 1 to 65535."],
  [['a', 'b'], "Too many arguments for 'new'. Expected 1 argument but got 2."],
])('reports %j in a sentence', async (args, words) => {
  const { terminal } = await open()
  expect(await run(['new', ...args], terminal.io)).toBe(2)
  expect(terminal.errors).toContain(words)
})

test('--tenant gives the oracle a schema in the PostgreSQL of DATABASE_URL', async () => {
  const place = temporaryPlace()
  await fakePackages(place.packages)
  const sibylNew = async (tenant: string, env: Record<string, string> = {}) => {
    const flags = ['--yes', '--no-register', '--no-git', '--tenant', tenant]
    const terminal = new FakeTerminal({ ...place.env, ...env }, false, 80, place.work)
    return { code: await run(['new', 'north', ...flags], terminal.io), terminal }
  }
  const file = await sibylNew('north', { DATABASE_URL: 'file:./sibyl.db' })
  expect(file.code).toBe(3)
  expect(file.terminal.errors).toContain('A tenant needs a PostgreSQL database in DATABASE_URL.')
  const quoted = await sibylNew('no"rth')
  expect(quoted.code).toBe(2)
  expect(quoted.terminal.errors).toContain('--tenant: Expected the name of a schema')
  expect(readdirSync(place.work)).toEqual([])

  const url = 'postgres://user:pass%20word@db:5433/sibyl?sslmode=require'
  const { code, terminal } = await sibylNew('north', { DATABASE_URL: url, DATABASE_DIRECT_URL: url })
  expect(code, terminal.errors).toBe(0)
  expect(terminal.text).toContain('database  schema north of DATABASE_URL\n')
  expect(terminal.text + terminal.errors).not.toContain('pass%20word')
  const project = join(place.work, 'north')
  expect(parseEnv(readFileSync(join(project, '.env'), 'utf8'))).toMatchObject({
    DATABASE_URL: `${url}&schema=north`,
    DATABASE_DIRECT_URL: url,
  })
  expect(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).dependencies).toHaveProperty('pg')
})
