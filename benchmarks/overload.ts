// 2,000 turns at once: how long the accepted ones wait for their first text, memory, and the time back to normal, beside bare AI SDK and Hono.
import { Agent, type ClientRequest } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { startFloorAndOracle } from './measure/floor-and-oracle.ts'
import { type MeasuredProcess, median } from './measure/processes.ts'
import { startChat } from './measure/start-chat.ts'

const count = Number(process.env.BENCH_TURNS ?? 2_000)
const { floor, oracle, invocations, database, stop, remove } = await startFloorAndOracle('overload/upstream.ts')

interface Outcome {
  readonly call: ClientRequest
  readonly status: number
  /** Milliseconds from the request to the first text, or to the refusal. */
  readonly ms: number
}

const ask = (url: string, agent: Agent, token: string | undefined): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const call = startChat({ url, agent, token, text: 'Tell me all.' }, reply => {
      const status = reply.statusCode ?? 0
      const ended = () => resolve({ call, status, ms: performance.now() - started })
      let read = ''
      reply.setEncoding('utf8').on('error', () => {})
      reply.on('data', (text: string) => {
        if (read.length < 10_000) read += text
        if (status === 200 && read.includes('text-delta')) ended()
      })
      reply.on('end', ended)
    })
    call.on('error', reject)
  })

/** Asks one after the other until five answers in a row are as quick as alone, at most ten times slower; the time until then. */
const recovery = async (url: string, agent: Agent, alone: number, tokens: string[]): Promise<number> => {
  const started = performance.now()
  for (let quick = 0; quick < 5; ) {
    const { call, status, ms } = await ask(url, agent, tokens.pop())
    call.destroy()
    quick = status === 200 && ms < alone * 3 + 20 ? quick + 1 : 0
    if (performance.now() - started > 120_000) return Number.NaN
  }
  return performance.now() - started
}

const measure = async (name: string, server: MeasuredProcess, authenticated: boolean) => {
  const agent = new Agent({ keepAlive: false })
  const mint = async (wanted: number) => (authenticated ? invocations.mint(wanted) : [])
  const single: number[] = []
  for (const token of [...(await mint(50)), ...Array.from({ length: authenticated ? 0 : 50 }, () => undefined)]) {
    const { call, ms } = await ask(server.url, agent, token)
    call.destroy()
    single.push(ms)
  }
  const alone = median(single.slice(20))
  const tokens = await mint(count)
  const outcomes = await Promise.all(Array.from({ length: count }, (_, index) => ask(server.url, agent, tokens[index])))
  const memory = server.memoryMb()
  const more = await mint(2_000)
  const back = await recovery(server.url, agent, alone, more)
  const accepted = outcomes
    .filter(({ status }) => status === 200)
    .map(({ ms }) => ms)
    .toSorted((one, other) => one - other)
  const at = (share: number) => (accepted[Math.floor((accepted.length - 1) * share)] ?? Number.NaN).toFixed(0)
  const refused = outcomes.filter(({ status }) => status !== 200)
  const statuses = [...new Set(refused.map(({ status }) => status))].join(', ')
  console.log(
    `  ${name.padEnd(8)} alone ${alone.toFixed(1)} ms; ${accepted.length} of ${count} accepted, first text after ${at(0.5)} ms` +
      ` (median), ${at(0.99)} ms (p99); ${refused.length} refused (${statuses || '-'}) after ${median(refused.map(({ ms }) => ms)).toFixed(0)} ms;` +
      ` ${memory.toFixed(0)} MB; back to normal after ${(back / 1000).toFixed(1)} s`,
  )
  for (const { call } of outcomes) call.destroy()
}

console.log(`node ${process.version}, ${count} turns at once; a model whose answers last minutes`)
await measure('floor', floor, false)
await measure('oracle', oracle, true)
await stop()
const stored = new DatabaseSync(database, { readOnly: true })
const rows = stored
  .prepare('select first_part_ms as ms from core_turn_timings where first_part_ms is not null order by 1')
  .all()
stored.close()
const firstPart = (share: number) => Number(rows[Math.floor((rows.length - 1) * share)]?.ms)
console.log(
  `  measured by the oracle, from the call of the model to its first part: ${firstPart(0.5)} ms (median), ${firstPart(0.99)} ms (p99) of ${rows.length} turns`,
)
remove()
