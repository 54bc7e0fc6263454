import { type OracleRecord, oracleRecord } from '@sibyl/protocol'
import { parseJson } from '../home/parse-json.ts'
import { networkReason } from '../http/network-reason.ts'
import { readCapped } from '../http/read-capped.ts'

/** What answers at an address: an oracle, nothing, or something else, with the reason in a few words. */
type Discovery =
  | { readonly kind: 'oracle'; readonly record: OracleRecord }
  | { readonly kind: 'silent'; readonly reason: string }
  | { readonly kind: 'foreign'; readonly reason: string }

interface DiscoveryOptions {
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds to wait for the whole answer. @default 10000 */
  readonly timeLimitMs?: number
}

const maxRecordBytes = 100_000

/**
 * Asks an address who is there, by `/.well-known/oracle.json`. Never throws for what the address does.
 *
 * @param url `http://localhost:4100`; a path below which an oracle is mounted is kept.
 */
export const discoverOracle = async (url: string, options: DiscoveryOptions = {}): Promise<Discovery> => {
  const { fetch = globalThis.fetch, timeLimitMs = 10_000 } = options
  const signal = AbortSignal.timeout(timeLimitMs)
  try {
    const address = `${url.replace(/\/+$/, '')}/.well-known/oracle.json`
    const response = await fetch(address, { redirect: 'manual', cache: 'no-store', signal })
    const text = await readCapped(response, maxRecordBytes)
    if (!response.ok) return { kind: 'foreign', reason: `HTTP ${response.status}` }
    if (text === undefined) return { kind: 'foreign', reason: `more than ${maxRecordBytes} bytes` }
    const record = oracleRecord.safeParse(parseJson(text))
    return record.success
      ? { kind: 'oracle', record: record.data }
      : { kind: 'foreign', reason: 'no description of an oracle' }
  } catch (error) {
    return {
      kind: 'silent',
      reason: signal.aborted ? `no response within ${timeLimitMs / 1_000} s` : networkReason(error),
    }
  }
}
