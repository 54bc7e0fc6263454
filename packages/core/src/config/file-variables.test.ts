import { type BootError, type Host, OracleError } from '@sibyl/plugin'
import { createPinoLogger, SecretRedactor } from '@sibyl/telemetry'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { inspectOracle } from '../boot/inspect-oracle.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { fileVariables } from './file-variables.ts'

const value = 'a value/of+its own'

/** Creates a plugin that reads a file with `${…}` in it. */
const reader = (read: (host: Host) => void) =>
  samplePlugin('reader', {
    env: z.object({
      READER_FOLDER: z.string().optional().meta({ description: 'x' }),
      READER_URL: z.url().optional().meta({ description: 'x' }),
      READER_TOKEN: z.string().optional().meta({ description: 'x' }),
    }),
    setup: host => {
      read(host)
      return {}
    },
  })

/** Returns the values that a plugin reads by these names. */
const readAll = async (names: readonly string[], env: Record<string, string>) => {
  const read: Record<string, string | undefined> = {}
  const switchedOff = samplePlugin('off', {
    env: z.object({ OFF_SECRET: z.string().optional().meta({ description: 'x' }), OFF_NAME: z.string().optional() }),
    optIn: ['OFF_NAME'],
  })
  const plugin = reader(host => {
    for (const name of names) read[name] = host.variable(name)
  })
  await (await testApp({ plugins: [plugin, switchedOff], env }))[Symbol.asyncDispose]()
  return read
}

test('reads and trims a variable that a file names; blank and missing ones are undefined', async () => {
  const names = ['NOTES_TOKEN', 'BLANK', 'NOT_THERE', '__proto__', 'toString']
  expect(await readAll(names, { NOTES_TOKEN: ` ${value}\n`, BLANK: '  ' })).toEqual({ NOTES_TOKEN: value })
})

test('secrets of core and plugins, enabled or not, and passwords in URLs are unavailable to files', async () => {
  const own = {
    ORACLE_OPERATOR_TOKEN: 'operator-token-1234567890',
    OPENAI_API_KEY: '',
    OFF_SECRET: 'the secret of a plugin that is left out',
    READER_TOKEN: 'the secret of a plugin that runs',
    ORACLE_API_KEYS: 'shop:api-key-canary-1234567890:*',
    READER_URL: 'https://somebody:password-1234@example.org',
  }
  const open = { READER_FOLDER: './folder', ORACLE_NAME: 'Harbour' }
  expect(await readAll([...Object.keys(own), ...Object.keys(open), 'ORACLE_MNEMONIC'], { ...own, ...open })).toEqual(
    open,
  )
})

test('redacts its value from the log afterwards, and not what is declared as not secret', () => {
  const lines: string[] = []
  const redactor = new SecretRedactor()
  const log = createPinoLogger({ redact: redactor.redact, destination: { write: line => lines.push(line) } })
  const env = { NOTES_TOKEN: value, ORACLE_NAME: 'Harbour master' }
  const variable = fileVariables({ env, schemas: [], addSecret: secret => redactor.add(secret) })
  log.info(`before: ${value}`)
  variable('NOTES_TOKEN')
  variable('ORACLE_NAME')
  log.info(`after: ${value} ${encodeURIComponent(value)} of the Harbour master`, { deep: [{ url: `x?${value}` }] })
  expect(lines[0]).toContain(value)
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({
    msg: 'after: [redacted] [redacted] of the Harbour master',
    deep: [{ url: 'x?[redacted]' }],
  })
})

test('redacts it from the reasons of plugin failures, at boot and in the background', async () => {
  const failing = (work: (fail: () => never, host: Host) => void) =>
    reader(host => {
      const secret = host.variable('NOTES_TOKEN')
      work(() => {
        throw new (class extends OracleError {
          readonly code = 'odd'
        })(`nobody takes ${secret}`)
      }, host)
    })
  const env = { NOTES_TOKEN: value }
  const failure = await testApp({ plugins: [failing(fail => fail())], env }).catch((error: unknown) => error)
  expect((failure as BootError).problems[0]?.lines[0]).toBe('Nobody takes [redacted].')
  const inBackground = failing((fail, host) => host.background('look', async () => fail()))
  await using oracle = await testApp({ plugins: [inBackground], env })
  await oracle.app.ready
  expect(oracle.app.plugins()[0]?.reason).toBe('look nobody takes [redacted]')
})

test('redacts it from an inspection', async () => {
  const plugin = samplePlugin('reader', {
    setup: host => ({ instructions: `Say ${host.variable('NOTES_TOKEN')}.` }),
    manifest: { ...samplePlugin('reader').manifest, load: 'always' },
  })
  const { turn } = await inspectOracle({ plugins: [plugin], env: { NOTES_TOKEN: value } })
  expect(turn?.prompt).toContain('Say [redacted].')
  expect(turn?.prompt).not.toContain(value)
})
