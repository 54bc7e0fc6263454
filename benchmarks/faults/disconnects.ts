// Clients that leave at any moment: no turn is lost by it, none runs on after it was stopped, and nothing of them stays.
import { once } from 'node:events'
import { createMnemonic } from '@sibyl/identity'
import { startFakeOpenAi, type TestActor, testActor } from '@sibyl/testing'
import type { HeapObjects, Resources } from './disconnects/oracle.ts'
import { type Visit, visit } from './disconnects/visit.ts'
import { openFaultDatabase } from './frame/database.ts'
import type { StoredSession } from './frame/ledger.ts'
import { runFault } from './frame/run-fault.ts'
import { type OracleProcess, startOracle } from './frame/start-oracle.ts'

const story = Array.from({ length: 24 }, (_, index) => `word${index}`).join(' ')
const atOnce = 48
/** Time limit for releasing resources; connections to the provider are kept for some seconds. */
const letGoMs = 8_000
/** Number of additional objects that a process may keep, some of them pooled: far fewer than one per client. */
const spareObjects = 100

const ask = async <T>({ child }: OracleProcess, question: 'resources' | 'objects'): Promise<T> => {
  child.send(question)
  return ((await once(child, 'message')) as [T])[0]
}

/** Creates a caller whose own connections are closed, so that none of them is counted as a leak. */
const fleetingActor = ({ url, did }: OracleProcess): TestActor =>
  testActor({
    identity: { did },
    request(path, init) {
      const headers = new Headers(init?.headers)
      headers.set('connection', 'close')
      return fetch(url + path, { ...init, headers })
    },
  })

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, one) => sum + one, 0)

const tally = <T>(list: readonly T[], key: (one: T) => string): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const one of list) counts[key(one)] = (counts[key(one)] ?? 0) + 1
  return counts
}

/** Asks until it holds no more than before, or the time is over. */
const whenQuiet = async (oracle: OracleProcess, before: Resources): Promise<Resources> => {
  const deadline = performance.now() + letGoMs
  for (;;) {
    const held = await ask<Resources>(oracle, 'resources')
    if (total(held) <= total(before) || performance.now() > deadline) return held
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

await runFault({
  name: 'disconnects',
  count: 10_000,
  quick: 160,
  defences: ['letting-go-of-readers', 'turns-outlive-readers'],
  async run(fault) {
    await using database = await openFaultDatabase(fault, 'sqlite')
    const upstream = { asked: 0, answered: 0, aborted: 0 }
    const provider = await startFakeOpenAi({
      record: false,
      replies: ({ ended }) => {
        upstream.asked += 1
        void ended.then(how => {
          upstream[how] += 1
        })
        return { text: story, eventDelayMs: 2 }
      },
    })
    await using oracle = await startOracle({
      file: 'disconnects/oracle.ts',
      ipc: true,
      without: fault.without,
      env: {
        DATABASE_URL: database.url,
        ORACLE_MNEMONIC: createMnemonic(12).reveal(),
        OPENAI_BASE_URL: provider.url,
        OPENAI_API_KEY: 'sk-for-the-fake-provider',
        LLM_PROVIDER: 'openai-compatible',
        LLM_MODEL: 'fake',
      },
    })
    const port = Number(new URL(oracle.url).port)
    const actor = fleetingActor(oracle)
    const visits: Visit[] = []
    const run = async (from: number, to: number) => {
      let next = from
      const work = async () => {
        for (let index = next++; index < to; index = next++) visits.push(await visit(port, actor, index, fault.random))
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      const isOver = () => upstream.asked === upstream.answered + upstream.aborted
      const deadline = performance.now() + letGoMs
      while (!isOver() && performance.now() < deadline) await new Promise(resolve => setTimeout(resolve, 50))
    }

    const nothing = await ask<Resources>(oracle, 'resources')
    const warmUp = fault.quick ? 0 : Math.min(200, Math.ceil(fault.count / 4))
    await run(0, warmUp)
    const before = fault.quick ? nothing : await whenQuiet(oracle, nothing)
    const objectsBefore = await ask<HeapObjects>(oracle, 'objects')
    await run(warmUp, fault.count)
    const after = await whenQuiet(oracle, before)
    const objectsAfter = await ask<HeapObjects>(oracle, 'objects')

    const stops = visits.filter(({ stopped }) => stopped).length
    const followed = visits.filter(({ sequel }) => sequel === 'another message').length
    const kept = visits.filter(
      ({ acknowledged, sequel }) => acknowledged && sequel !== 'stop' && sequel !== 'another message',
    )
    let unfinished = 0
    for (const { sessionId } of kept) {
      const answer = await actor.request(`/sessions/${sessionId}`)
      const session = (await answer.json()) as StoredSession
      const reported = session.messages?.find(({ role }) => role === 'assistant')?.parts ?? []
      if (reported.map(({ text = '' }) => text).join('') !== story) unfinished += 1
    }
    await provider.close()

    fault.figure('clients', visits.length)
    fault.figure('that left', JSON.stringify(tally(visits, ({ moment }) => moment)))
    fault.figure('whereupon', JSON.stringify(tally(visits, ({ sequel }) => sequel)))
    fault.figure('acknowledged', visits.filter(({ acknowledged }) => acknowledged).length)
    fault.figure('streams seen to their end', visits.filter(({ complete }) => complete).length)
    fault.figure('calls to the provider', JSON.stringify(upstream))
    fault.atLeast('turns whose reader left and that were not stopped', kept.length, fault.count / 10)
    fault.atMost('of them not finished and stored in full', unfinished, 0)
    fault.figure('turns stopped or given way to another message', `${stops} and at most ${followed}`)
    fault.atMost('calls to the provider broken off, at most for each of these', upstream.aborted, stops + followed)
    fault.atLeast('calls to the provider broken off', upstream.aborted, 1)
    fault.atMost('calls to the provider that never ended', upstream.asked - upstream.answered - upstream.aborted, 0)
    fault.figure('held by the event loop before', JSON.stringify(before))
    fault.figure('held by the event loop after', JSON.stringify(after))
    const more = (kind: string) => (after[kind] ?? 0) - (before[kind] ?? 0)
    fault.atMost('sockets more than before', more('TCPSocketWrap'), 0)
    fault.atMost('timers more than before', more('Timeout'), 0)
    fault.atMost('of everything more than before', total(after) - total(before), 0)
    for (const kind of ['sockets', 'responses', 'timers'] as const) {
      fault.atMost(`${kind} on the heap more than before`, objectsAfter[kind] - objectsBefore[kind], spareObjects)
    }
  },
})
