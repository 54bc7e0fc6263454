import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ScriptedAsker } from '../../ask/asker.test.helper.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { run } from '../../main.ts'
import { openDevnet } from '../../registry/registry-project.test.helper.ts'
import { fakePackages } from '../../scaffold/packages/fake-packages.test.helper.ts'
import { realEffects } from '../../scaffold/real-effects.ts'
import type { EntityNeed } from '../../scaffold/scaffold-effects.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { callNew, temporaryPlace } from './new.test.helper.ts'

let devnet: Awaited<ReturnType<typeof openDevnet>>
beforeAll(async () => {
  devnet = await openDevnet()
})
afterAll(() => devnet.remove())

const oraclesNamed = async (name: string): Promise<string[]> => {
  const headers = { authorization: `Bearer ${devnet.keys.apiKey}` }
  const answer = await fetch(`${devnet.url}/v1/entities?type=Oracle&property.name=${name}`, { headers })
  return ((await answer.json()) as { entities: { did: string }[] }).entities.map(({ did }) => did)
}

/**
 * Creates a run that ended without the registry's response, as seen two days later: the registry has forgotten its key.
 */
const stoppedTwoDaysAgo = async (name: string, isRegistered: boolean, days = 2) => {
  const place = temporaryPlace()
  await fakePackages(place.packages)
  const env = { ...place.env, REGISTRY_URL: devnet.url }
  const effects = realEffects(new FakeTerminal(env, false).io, new ScriptedAsker(), false)
  const registerOracle = async (need: EntityNeed) => {
    if (isRegistered) await effects.registerOracle(need)
    throw cliErrors.registry_unavailable('No answer.', '')
  }
  await callNew(place, { ...effects, registerOracle }, { dir: 'x', yes: true, name, env }).done.catch(() => {})
  const folder = join(place.home, 'unfinished')
  const path = join(folder, readdirSync(folder)[0] ?? expect.unreachable())
  const record = JSON.parse(readFileSync(path, 'utf8'))
  const startedAt = new Date(Date.parse(record.startedAt) - days * 24 * 3_600_000).toISOString()
  writeFileSync(path, JSON.stringify({ ...record, startedAt, idempotencyKey: 'one that is not known any more' }))
  return new FakeTerminal(env, false, 80, place.work)
}

test('a run that continues days later finds the registration, and registers nothing twice', async () => {
  const terminal = await stoppedTwoDaysAgo('Late', true)
  expect(await run(['new', 'x', '--json'], terminal.io), terminal.errors).toBe(0)
  const { entityDid } = JSON.parse(terminal.text)
  expect(terminal.errors).toContain(`Already registered by the previous run: ${entityDid}`)
  expect(await oraclesNamed('Late')).toEqual([entityDid])
})

test('also if the clock was ahead at that time', async () => {
  const terminal = await stoppedTwoDaysAgo('Ahead', true, -2)
  expect(await run(['new', 'x', '--json'], terminal.io), terminal.errors).toBe(0)
  expect(await oraclesNamed('Ahead')).toEqual([JSON.parse(terminal.text).entityDid])
})

test('and registers it if it was not registered', async () => {
  const terminal = await stoppedTwoDaysAgo('Later', false)
  expect(await run(['new', 'x', '--json'], terminal.io), terminal.errors).toBe(0)
  expect(await oraclesNamed('Later')).toEqual([JSON.parse(terminal.text).entityDid])
})
