// The phones, in a separate process: runs rounds for its parent and reports the measurements.

import { expected, typed } from './session-script.ts'
import { createWirePhone, type WirePhone } from './wire-phone.ts'

/** One round of load. */
export interface LoadRound {
  readonly port: number
  /** Sessions at the same time. */
  readonly concurrency: number
  /** Time during which new sessions begin; if missing, until `sessions` have begun. */
  readonly forMs?: number
  /** Maximum number of sessions. */
  readonly sessions?: number
  /** Whether replies of other servers than ussd ones are taken: then each begins with `CON`. */
  readonly constant?: boolean
  /** Whether every second session is left after its second reply. */
  readonly abandons?: boolean
}

/** Result of a round. */
export interface LoadResult {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly sessions: number
  readonly requests: number
  /** CPU time of the load itself, per request. */
  readonly cpuMs: number
}

/** Number of phones, above the number that one process tracks individually in a minute. */
const phones = 40_000

let sessions = 0

const requestOf = (sessionId: string, phoneNumber: string, text: string): Buffer => {
  const body = JSON.stringify({ sessionId, serviceCode: '*1234#', phoneNumber, text })
  return Buffer.from(
    `POST /api/ussd HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}

const runRound = async (round: LoadRound): Promise<LoadResult> => {
  const { port, concurrency, forMs = Number.POSITIVE_INFINITY, constant = false, abandons = false } = round
  const latencies: number[] = []
  const cpu = process.cpuUsage()
  const before = sessions
  const last = before + (round.sessions ?? Number.POSITIVE_INFINITY)
  const startedAt = performance.now()
  const talk = async (phone: WirePhone) => {
    while (performance.now() - startedAt < forMs && sessions < last) {
      const number = sessions++
      const sessionId = `bench-${process.pid}-${number}`
      const phoneNumber = `+26097${String(1_000_000 + (number % phones))}`
      const steps = abandons && number % 2 === 0 ? 2 : typed.length
      for (let step = 0; step < steps; step += 1) {
        const request = requestOf(sessionId, phoneNumber, typed[step]!)
        const askedAt = performance.now()
        const reply = await phone.ask(request)
        latencies.push(performance.now() - askedAt)
        if (!reply.startsWith(constant ? 'CON ' : expected[step]!)) {
          throw new Error(`${JSON.stringify(typed[step])} was answered with: ${reply}`)
        }
      }
    }
    phone.close()
  }
  await Promise.all(Array.from({ length: concurrency }, () => talk(createWirePhone(port))))
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  latencies.sort((one, other) => one - other)
  return {
    requestsPerSecond: latencies.length / seconds,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)]!,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)]!,
    sessions: sessions - before,
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
