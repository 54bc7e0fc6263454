import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BootError } from '@sibyl/plugin'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { projectPlace } from '../errors/project-place.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'

const failing = samplePlugin('pump', {
  async setup() {
    await Promise.resolve()
    return JSON.parse('{')
  },
})

const linesOf = async (environment: string): Promise<readonly string[]> => {
  const env = { NODE_ENV: environment, ORACLE_ACCESS: 'open', LOG_FORMAT: 'pretty' }
  const error: unknown = await testApp({ plugins: [failing], env }).catch(error => error)
  expect(error).toBeInstanceOf(BootError)
  return (error as BootError).problems[0]?.lines ?? []
}

test('a setup that fails shows its file and line, relative to the project, only in development', async () => {
  const lines = await linesOf('development')
  expect(lines[0]).toBe('Failed with SyntaxError, details in the log.')
  expect(lines[1]).toMatch(/^At packages\/core\/src\/plugins\/setup-place\.test\.ts:1[4-6]:\d+$/)
  expect((await linesOf('production')).join()).not.toContain('setup-place')
})

test('the position is the first in the sources of the project, not in packages', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl ü (place) '))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'pump.mjs')
  writeFileSync(file, '\nexport const fail = call => {\n  call()\n}\n')
  const { fail } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { fail(call: () => void): void }
  let error: unknown
  try {
    fail(() => JSON.parse('{'))
  } catch (thrown) {
    error = thrown
  }
  expect(projectPlace(error, folder)).toBe('pump.mjs:3:3')
  expect(projectPlace(error, join(folder, 'other'))).toBeUndefined()
  for (const value of [undefined, 'text', Object.assign(new Error('x'), { stack: undefined })]) {
    expect(projectPlace(value, folder)).toBeUndefined()
  }
})
