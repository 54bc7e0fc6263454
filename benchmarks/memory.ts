// Recall@5 and time of the embedded memory on 10,000 facts of one person beside as many of another, on both engines, side
// by side with LIKE and with each engine's own full-text search; and what the look-up of a turn costs and brings.
// Run: BENCH_FACTS=10000 node --conditions=sibyl-source benchmarks/memory.ts

import {
  embeddedMemory,
  labelledFacts,
  type MemoryTables,
  memoryMigrations,
  rememberedFacts,
} from '@sibyl/plugin-memory/testing'
import { openStorage } from '@sibyl/storage'
import { startPostgres } from '@sibyl/storage/testing'
import { silentLogger } from '@sibyl/testing'
import type { Finder } from './memory/finder.ts'
import { plainFinders } from './memory/plain-finders.ts'

const size = Number(process.env.BENCH_FACTS ?? 10_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const engines = (process.env.BENCH_ENGINES ?? 'sqlite,postgres').split(',')
const dayMs = 86_400_000
const [ada, ben] = ['did:key:ada', 'did:key:ben']
const { facts, questions, smallTalk } = labelledFacts(size)

const at = (sorted: readonly number[], share: number): string =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(2).padStart(7)

const timed = async <Value>(times: number[], work: () => Promise<Value>): Promise<Value> => {
  const began = performance.now()
  const value = await work()
  times.push(performance.now() - began)
  return value
}

const times = (what: string, taken: number[]): string => {
  taken.sort((one, other) => one - other)
  return `${what.padEnd(30)} p50 ${at(taken, 0.5)} ms  p99 ${at(taken, 0.99)} ms`
}

const measureEngine = async (url: string): Promise<void> => {
  const storage = await openStorage<MemoryTables>({ url })
  await storage.migrate('memory', memoryMigrations)
  const until = Date.now()
  let now = until
  const clock = { now: () => now }
  const store = embeddedMemory({ storage, clock, factsPerPerson: size + 1 })
  const writing: number[] = []
  for (const [place, fact] of facts.entries()) {
    now = until - fact.daysAgo * dayMs
    await timed(writing, () => store.remember({ did: ada }, fact, `ada-${place}`))
    await store.remember({ did: ben }, fact, `ben-${place}`)
  }
  now = until
  const ours: Finder = {
    name: 'memory',
    find: async question => (await store.recall(ada, question, 5)).map(({ fact }) => fact.text),
  }
  const finders = [...(await plainFinders(storage.for<object>(), facts)), ours]
  if (storage.engine === 'postgres') await analyze(url)

  console.log(`\n${storage.engine}, ${size} facts of each of two people, ${questions.length} questions`)
  console.log(`  ${times('remember, on disk', writing)}`)
  const taken = finders.map((): number[] => [])
  const hits = finders.map(() => new Map<string, number>())
  for (let round = 0; round < rounds; round += 1) {
    for (const { text, answer, wording } of questions) {
      for (const [place, finder] of finders.entries()) {
        const found = await timed(taken[place]!, () => finder.find(text))
        if (round > 0 || !found.includes(facts[answer]!.text)) continue
        for (const kind of [wording, 'all']) hits[place]!.set(kind, (hits[place]!.get(kind) ?? 0) + 1)
      }
    }
  }
  const kinds = [...new Set(questions.map(({ wording }) => wording)), 'all']
  for (const [place, { name }] of finders.entries()) {
    const shares = kinds.map(kind => {
      const asked = questions.filter(({ wording }) => kind === 'all' || wording === kind).length
      return `${kind} ${((hits[place]!.get(kind) ?? 0) / asked).toFixed(2)} of ${asked}`
    })
    console.log(`  ${times(name, taken[place]!)}  recall@5: ${shares.join(', ')}`)
  }
  await measureTurns(store, clock)
  await storage.close()
}

/** Measures the lookups of a turn: duration, share of turns with the answer, and share of small talk with facts. */
const measureTurns = async (store: ReturnType<typeof embeddedMemory>, clock: { now(): number }): Promise<void> => {
  const lookup = rememberedFacts({ store, log: silentLogger, clock, maxTokens: 400 })
  const signal = new AbortController().signal
  const ask = (did: string, text: string) => lookup({ actor: { did, via: 'ucan', scopes: [] } as never, text, signal })
  const [asking, chatting, withoutUser]: number[][] = [[], [], []]
  let reported = 0
  let characters = 0
  for (const { text, answer } of questions) {
    const note = (await timed(asking!, () => ask(ada, text))) ?? ''
    characters += note.length
    if (note.includes(facts[answer]!.text)) reported += 1
  }
  let disturbed = 0
  for (const text of smallTalk) if ((await timed(chatting!, () => ask(ada, text))) !== undefined) disturbed += 1
  for (const { text } of questions) await timed(withoutUser!, () => ask('did:key:nobody', text))
  console.log(
    `  ${times('lookup of a turn, questions', asking!)}  the answer is included in ${(reported / questions.length).toFixed(2)} of them, ${Math.round(characters / 4 / questions.length)} tokens a turn`,
  )
  console.log(
    `  ${times('lookup of a turn, small talk', chatting!)}  facts are included in ${disturbed} of ${smallTalk.length}`,
  )
  console.log(`  ${times('lookup of a turn, no facts', withoutUser!)}`)
}

const analyze = async (url: string): Promise<void> => {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

if (engines.includes('sqlite')) await measureEngine('memory:')
const postgres = engines.includes('postgres') ? await startPostgres(['fsync=on', 'synchronous_commit=on']) : undefined
if (postgres) await measureEngine(await postgres.createDatabase())
await postgres?.stop()
