import type { JsonValue } from '@sibyl/protocol'
import { callers, mustCall } from '../entities/call.ts'

/** A collection that claims are submitted to. */
export interface OpenCollection {
  readonly id: string
  readonly kind: 'rules' | 'few' | 'few-an-asset' | 'agent' | 'confirmed'
}

/** Assets and collections for claims. */
export interface ClaimSetup {
  /** DIDs. */
  readonly assets: readonly string[]
  readonly collections: readonly OpenCollection[]
}

const protocol = {
  type: 'Protocol',
  properties: { serial: 'string' },
  claim: {
    properties: { hours: { type: 'number', required: true }, day: { type: 'number', required: true } },
    rubric: [{ id: 'used', path: '/hours', operator: 'at-least', value: 2, reason: 'It was used for too short.' }],
  },
}

/** Makes the assets, all of the farm's, and a collection of each kind. @param few the quota of the collection with one */
export const openClaimSetup = async (url: string, assets: number, few: number): Promise<ClaimSetup> => {
  const post = async <Body>(path: string, json: JsonValue) =>
    mustCall<Body>(url, { method: 'POST', path, by: 'oracle', json })
  const { did } = await post<{ did: string }>('/v1/entities', protocol)
  const made = await Promise.all(
    Array.from({ length: assets }, (_, index) =>
      post<{ did: string }>('/v1/entities', {
        ...{ type: 'CookStove', protocol: did, controller: callers.farm.did, properties: { serial: `serial${index}` } },
      }),
    ),
  )
  const collection = async (kind: OpenCollection['kind'], more: Record<string, JsonValue>): Promise<OpenCollection> => {
    const json = { title: kind, protocol: did, evaluators: [callers.judge.did], ...more }
    return { kind, id: (await post<{ id: string }>('/v1/collections', json)).id }
  }
  return {
    assets: made.map(asset => asset.did),
    collections: [
      await collection('rules', {}),
      await collection('few', { quota: { all: few } }),
      await collection('few-an-asset', { quota: { perAsset: 3 } }),
      await collection('agent', { evaluation: 'agent', confirm: false }),
      await collection('confirmed', { confirm: true }),
    ],
  }
}
