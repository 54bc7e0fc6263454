import { stripVTControlCharacters } from 'node:util'
import { createOracleApp } from '@sibyl/core'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import type { OraclePlugin } from '@sibyl/plugin'
import { ussd } from '@sibyl/plugin-ussd'
import { weather } from '@sibyl/plugin-weather'
import { startLocalProvider } from '@sibyl/plugin-weather/testing'
import { expect, onTestFinished, test } from 'vitest'
import { DemoFailure } from './demo-failure.ts'
import { Narrator } from './narrator.ts'
import { visit } from './tour.ts'

const startOracle = async (plugins: readonly OraclePlugin[], ORACLE_MNEMONIC = createMnemonic(12).reveal()) => {
  const provider = await startLocalProvider()
  const env = {
    DATABASE_URL: 'memory:',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ORACLE_MNEMONIC,
    WEATHER_BASE_URL: provider.url,
    PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
  }
  const oracle = await createOracleApp({ plugins, env })
  onTestFinished(async () => {
    await oracle.close()
    await provider.stop()
  })
  return (await oracle.listen()).url
}

const tourOf = (url: string, columns = 80) => {
  const shown: string[] = []
  const output = { isTTY: true, columns, write: (text: string) => shown.push(text) }
  const signal = new AbortController().signal
  const tour = { narrator: new Narrator(output, true), url, key: createSigningKey(), signal }
  return { visiting: visit(tour), lines: () => stripVTControlCharacters(shown.join('')).split('\n') }
}

test.each([40, 80, 120])('stays within %i columns', async columns => {
  const { visiting, lines } = tourOf(await startOracle([weather(), ussd()]), columns)
  await visiting
  expect(lines().filter(line => line.length > columns)).toEqual([])
  expect(lines().join(' ')).toMatch(/no repeat.*reply \*/)
})

test('fails with what came instead when a step does not go as it should', async () => {
  const { visiting, lines } = tourOf(await startOracle([]))
  await expect(visiting).rejects.toThrow(DemoFailure)
  await expect(visiting).rejects.toThrow('GET /weather/now answered 404')
  expect(lines().join('\n')).toContain('← 200  status ok')
})

test('fails when the oracle has no key', async () => {
  const { visiting } = tourOf(await startOracle([weather()], ''))
  await expect(visiting).rejects.toThrow('Set ORACLE_MNEMONIC')
})
