// The clients, in a separate process: runs rounds for its parent and reports the measurements.
import { createWirePhone, type WirePhone } from '../ussd-sessions/wire-phone.ts'
import { apiKey } from './entity-settings.ts'
import { branches, stoveOf } from './stove.ts'

/** One round of load. */
export interface LoadRound {
  readonly port: number
  /** Requests at the same time. */
  readonly concurrency: number
  readonly forMs?: number
  readonly requests?: number
  /** Creates entities under this protocol, each part of another one; of this many they keep the DIDs. */
  readonly create?: { readonly protocol: string; readonly first: number }
  /** Gets these, `{did}` standing for that of an entity drawn by chance. */
  readonly paths?: readonly string[]
}

/** Result of a round. */
export interface LoadResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly requests: number
  readonly cpuMs: number
}

/** DIDs of created entities by port: one server each. */
const created = new Map<number, string[]>()

const headOf = (method: string, path: string, length: number): string =>
  `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${apiKey}\r\n` +
  `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

const creation = (body: string): Buffer => Buffer.from(headOf('POST', '/v1/entities', Buffer.byteLength(body)) + body)

const runRound = async (round: LoadRound): Promise<LoadResult> => {
  const { port, concurrency, forMs = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY } = round
  const dids = created.get(port) ?? []
  created.set(port, dids)
  const latencies: number[] = []
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  let begun = 0
  const create = async (phone: WirePhone, number: number, protocol: string) => {
    const body = JSON.stringify(stoveOf(number, protocol, dids[Math.floor(dids.length / branches)]))
    const reply = await phone.ask(creation(body))
    dids.push(/"did":"([^"]+)"/.exec(reply)?.[1] ?? '')
  }
  const get = async (phone: WirePhone, paths: readonly string[], number: number) => {
    const did = dids[Math.floor(Math.random() * dids.length)] ?? ''
    await phone.ask(
      Buffer.from(headOf('GET', paths[number % paths.length]!.replace('{did}', encodeURIComponent(did)), 0)),
    )
  }
  const client = async (phone: WirePhone) => {
    while (performance.now() - startedAt < forMs && begun < requests) {
      const number = begun++
      const askedAt = performance.now()
      if (round.create) await create(phone, round.create.first + number, round.create.protocol)
      else await get(phone, round.paths ?? [], number)
      latencies.push(performance.now() - askedAt)
    }
    phone.close()
  }
  await Promise.all(Array.from({ length: concurrency }, () => client(createWirePhone(port))))
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  latencies.sort((one, other) => one - other)
  return {
    perSecond: latencies.length / seconds,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)]!,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)]!,
    requests: latencies.length,
    cpuMs: (user + system) / 1000 / latencies.length,
  }
}

process.on('message', async (round: LoadRound) => {
  try {
    process.send!({ result: await runRound(round) })
  } catch (error) {
    process.send!({ error: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))
