import { silentLogger } from '@sibyl/plugin/host'
import { recordedLogger } from '@sibyl/plugin/testing'
import { openStorage } from '@sibyl/storage'
import { expect, test, vi } from 'vitest'
import { createReplayGuard } from '../auth/revocation-store.ts'
import { coreMigrations } from '../database/core-migrations.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { storedTurnBytes } from '../database/stored-bytes-tables.ts'
import { createClaimStore } from '../turn/claim/claim-turn.ts'
import { createTurnStore } from '../turn/store/turn-store.ts'
import { startMaintenance } from './maintenance.ts'

const actor = { did: 'did:key:z6Mk', via: 'ucan', scopes: [] } as const

const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }

const tokenUsage = { forgetBefore: async () => {} }

test('removes expired nonces and the events of old turns, and keeps those of a long turn', async () => {
  const database = await openStorage({ url: 'memory:' })
  await database.migrate('core', coreMigrations)
  const storage = database.for<CoreTables>()
  const turns = createTurnStore(storage, () => 0)
  const replayGuard = createReplayGuard(storage)
  const minute = 60_000
  const begin = async (turnId: string) => {
    const facts = { turnId, owner: actor.did, sessionId: turnId }
    await createClaimStore(storage).claim({
      id: turnId,
      sessionId: turnId,
      answerId: `a-${turnId}`,
      actor,
      channel: 'chat',
      text: 'x',
      admitted: true,
      model: 'm',
      processId: storage.processes.ownId,
      startedAt: 0,
    })
    const events = { firstId: 1, body: '{}' }
    await turns.progress({ ...facts, events, hasReader: false, usage, tools: {}, mayContinue: false, now: 0 })
    // Its outcome was unknown: the batch is written again.
    await turns.progress({ ...facts, events, hasReader: false, usage, tools: {}, mayContinue: false, now: 0 })
    return (now: number) =>
      turns.end({
        ...facts,
        answer: { id: 'a', parts: [], metadata: {} },
        status: 'done',
        usage,
        tools: {},
        mayContinue: false,
        hooksCalled: true,
        now,
      })
  }
  await (await begin('old'))(minute)
  await (await begin('long'))(19 * minute)
  await begin('running')
  await replayGuard.spend({ hash: 'spent', expiresAt: 5 * minute })
  await replayGuard.spend({ hash: 'good', expiresAt: 50 * minute })

  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const forgetExpired = vi.fn(async () => {})
  let passed = 0
  const stop = startMaintenance({
    storage,
    replayGuard,
    tokenUsage,
    forgetExpired,
    checkRestore: async () => {},
    keepEventsMs: 10 * minute,
    now: () => passed,
    stopwatch: () => passed,
    log: silentLogger,
    recoverCrashed: async () => {},
    endLateCalls: async () => {},
  })
  passed = 20 * minute
  vi.advanceTimersByTime(minute)
  vi.useRealTimers()
  const left = async () =>
    (await storage.read.selectFrom('core_turn_events').select('turn_id').execute()).map(row => row.turn_id)
  await expect.poll(async () => (await left()).toSorted()).toEqual(['long', 'running'])
  const sessions = await storage.read.selectFrom('core_sessions').select(['id', 'bytes']).orderBy('id').execute()
  expect(sessions.map(({ id, bytes }) => [id, bytes - storedTurnBytes])).toEqual([
    ['long', 'x{}'.length],
    ['old', 'x'.length],
    ['running', 'x'.length],
  ])
  const nonces = await storage.read.selectFrom('core_spent_nonces').select('hash').execute()
  expect(nonces).toEqual([{ hash: 'good' }])
  expect(forgetExpired.mock.calls).toEqual([[20 * minute, expect.any(AbortSignal)]])
  stop()
  await database.close()
})

test('after a start or a clock jump nothing is removed for the lifetime of an invocation', async () => {
  const forgotten: number[] = []
  const minute = 60_000
  let wall = 0
  let passed = 0
  let ended = 0
  const database = await openStorage({ url: 'memory:' })
  await database.migrate('core', coreMigrations)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const stop = startMaintenance({
    storage: database.for<CoreTables>(),
    replayGuard: { spend: async () => true, forgetExpired: async now => void forgotten.push(now) },
    tokenUsage: {
      async forgetBefore() {
        ended += 1
      },
    },
    forgetExpired: async () => {},
    checkRestore: async () => {},
    keepEventsMs: 1,
    now: () => wall,
    stopwatch: () => passed,
    log: silentLogger,
    recoverCrashed: async () => {},
    endLateCalls: async () => {},
  })
  const pass = async (minutes: number) => {
    for (let index = 0; index < minutes; index += 1) {
      wall += minute
      passed += minute
      vi.advanceTimersByTime(minute)
      while (ended < forgotten.length) await new Promise(setImmediate)
      await new Promise(setImmediate)
    }
  }
  await pass(16)
  expect(forgotten).toEqual([])
  await pass(2)
  expect(forgotten).toEqual([17 * minute, 18 * minute])
  wall += 60 * minute
  await pass(16)
  wall -= 60 * minute
  await pass(16)
  expect(forgotten.length).toBe(2)
  await pass(2)
  expect(forgotten.length).toBe(3)
  stop()
  vi.useRealTimers()
  await database.close()
})

test('a slow run does not overlap with the next one, and ends with the oracle', async () => {
  const begun: AbortSignal[] = []
  const gate = Promise.withResolvers<void>()
  const minute = 60_000
  let passed = 0
  const database = await openStorage({ url: 'memory:' })
  await database.migrate('core', coreMigrations)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const log = recordedLogger()
  const stop = startMaintenance({
    storage: database.for<CoreTables>(),
    replayGuard: { spend: async () => true, forgetExpired: async () => {} },
    tokenUsage,
    forgetExpired: async (_, signal) => {
      begun.push(signal)
      await gate.promise
    },
    checkRestore: async () => {},
    keepEventsMs: 1,
    now: () => passed,
    stopwatch: () => passed,
    log,
    recoverCrashed: async () => {},
    endLateCalls: async () => {},
  })
  for (let index = 0; index < 20; index += 1) {
    passed += minute
    vi.advanceTimersByTime(minute)
    await new Promise(setImmediate)
  }
  expect(begun.map(({ aborted }) => aborted)).toEqual([false])
  stop()
  expect(begun.map(({ aborted }) => aborted)).toEqual([true])
  gate.resolve()
  vi.useRealTimers()
  await database.close()
  expect(log.lines).toEqual([])
})

test('logs and retries a cleanup job that fails', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const log = recordedLogger()
  let tries = 0
  const recoverCrashed = async () => {
    tries += 1
    throw new Error('no')
  }
  const database = await openStorage({ url: 'memory:' })
  const storage = database.for<CoreTables>()
  const replayGuard = { spend: async () => true, forgetExpired: async () => {} }
  const forgetExpired = async () => {}
  const stop = startMaintenance({
    storage,
    replayGuard,
    tokenUsage,
    forgetExpired,
    checkRestore: async () => {},
    keepEventsMs: 1,
    now: () => 0,
    log,
    recoverCrashed,
    endLateCalls: async () => {},
  })
  for (let seconds = 0; seconds < 8; seconds += 4) {
    vi.advanceTimersByTime(4_000)
    await new Promise(setImmediate)
  }
  stop()
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
  await expect.poll(() => log.lines.length).toBe(2)
  expect(tries).toBe(2)
  await database.close()
})
