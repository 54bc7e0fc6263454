import { setTimeout as pause } from 'node:timers/promises'
import type { OracleClient } from '@sibyl/client'
import { z } from 'zod'

/** Reads the cost of a turn, as text; undefined if the oracle does not use credits, or the caller may not read them. */
export type TurnCost = (turnId: string) => Promise<string | undefined>

/**
 * A turn is charged right after its last event, so the cost is polled this often, with this interval in milliseconds.
 */
const tries = 8
const pauseMs = 100
const requestLimitMs = 2_000

const charges = z.object({
  charges: z.array(z.object({ turnId: z.string(), credits: z.string(), billed: z.boolean() })),
})

/** Creates a reader of turn costs; it checks once whether the credits plugin is loaded. */
export const createTurnCost = (client: Pick<OracleClient, 'url' | 'capabilities' | 'headers'>): TurnCost => {
  let isOn: Promise<boolean> | undefined
  const read = async (turnId: string) => {
    const response = await fetch(`${client.url}/credits/usage?limit=5`, {
      headers: await client.headers('credits/read'),
      signal: AbortSignal.timeout(requestLimitMs),
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const listed = charges.parse(await response.json())
    return listed.charges.find(charge => charge.turnId === turnId)
  }
  return async turnId => {
    try {
      isOn ??= hasCredits(client)
      if (!(await isOn)) return undefined
      for (let attempt = 0; attempt < tries; attempt++) {
        if (attempt > 0) await pause(pauseMs)
        const charge = await read(turnId)
        if (charge) return inWords(charge)
      }
      return undefined
    } catch {
      return undefined
    }
  }
}

const hasCredits = async (client: Pick<OracleClient, 'capabilities'>): Promise<boolean> =>
  (await client.capabilities()).some(({ name, state }) => name === 'credits' && state !== 'excluded')

const inWords = ({ credits, billed }: { readonly credits: string; readonly billed: boolean }): string | undefined =>
  credits === '0' ? undefined : `${credits} ${credits === '1' ? 'credit' : 'credits'}${billed ? '' : ', not charged'}`
