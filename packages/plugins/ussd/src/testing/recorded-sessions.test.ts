import { readdir, readFile } from 'node:fs/promises'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { bundledProviders } from '../providers/bundled-providers.ts'
import { ussd } from '../ussd.ts'
import { replaySession } from './replay-session.ts'

const folder = new URL('./recordings/', import.meta.url)
const names = (await readdir(folder)).map(file => file.replace(/\.json$/, ''))
const recordingOf = async (name: string) => JSON.parse(await readFile(new URL(`${name}.json`, folder), 'utf8'))

test('every bundled provider has a recorded session', () => {
  expect(names.toSorted()).toEqual(
    bundledProviders()
      .map(({ name }) => name)
      .toSorted(),
  )
})

test('the sessions of all providers get the recorded replies, twice', async () => {
  await using oracle = await testApp({ plugins: [ussd()], env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32) } })
  for (const name of names) {
    const recording = await recordingOf(name)
    expect(recording).toMatchObject({ provider: name, made: 'after documentation' })
    expect(await replaySession(oracle.app, recording, { pause: () => {} }), name).toEqual([])
    expect(await replaySession(oracle.app, recording, { pause: () => {} }), name).toEqual([])
  }
})
