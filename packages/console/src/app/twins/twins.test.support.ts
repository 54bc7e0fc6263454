import type { OraclePlugin } from '@sibyl/plugin'
import { claims } from '@sibyl/plugin-claims'
import type { ClaimDetails, CollectionRecord } from '@sibyl/plugin-claims/records'
import { credentials } from '@sibyl/plugin-credentials'
import { entities } from '@sibyl/plugin-entities'
import type { EntityRecord } from '@sibyl/plugin-entities/records'
import { expect } from 'vitest'
import type { ConsoleOracle, StartOracle } from '../../testing/console.test.support.ts'

/** The API key of the office, which reads and writes. */
export const officeKey = 'office-key-of-the-console-tests'

/** An oracle with twins, and calls as the office, which acts as the oracle. */
export interface TwinsOracle {
  readonly oracle: ConsoleOracle
  call<Body>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Body>
  entity(body: object): Promise<EntityRecord>
  collection(body: object): Promise<CollectionRecord>
  claim(body: object): Promise<ClaimDetails>
  evaluate(claim: ClaimDetails): Promise<ClaimDetails>
}

/** Starts an oracle with entities, claims and credentials. */
export const startTwins = async (
  startOracle: StartOracle,
  env: Readonly<Record<string, string>> = {},
  others: readonly OraclePlugin[] = [],
): Promise<TwinsOracle> => {
  const oracle = await startOracle({
    plugins: [entities(), credentials(), claims(), ...others],
    env: { ENTITIES_API_KEYS: `office:${officeKey}`, ...env },
  })
  const call = async <Body>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${oracle.url}/${path}`, {
      method,
      headers: { authorization: `Bearer ${officeKey}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    expect(response.status, JSON.stringify(answer)).toBeLessThan(300)
    return answer as Body
  }
  return {
    oracle,
    call,
    entity: body => call('POST', 'v1/entities', body),
    collection: body => call('POST', 'v1/collections', body),
    claim: body => call('POST', 'v1/claims', body),
    evaluate: ({ id }) => call('POST', `v1/claims/${id}/evaluate`, {}),
  }
}

/** A protocol of stoves with a form and a rule for claims. */
export const stoveProtocol = {
  type: 'Protocol',
  alsoKnownAs: ['Clean cooking'],
  domainClass: 'Physical Twins',
  properties: {
    name: 'string',
    serial: { type: 'string', required: true },
    fuel: { type: 'string', enum: ['pellets', 'ethanol'] },
    watts: { type: 'number', minimum: 0, unit: 'W' },
    location: 'object',
  },
  relationships: { operator: 'Organisation' },
  claim: {
    properties: { week: { type: 'string', required: true }, hours: { type: 'number', required: true, unit: 'h' } },
    rubric: [
      { id: 'used', path: '/hours', operator: 'at-least', value: 3, reason: 'It was lit for less than 3 hours.' },
    ],
  },
} as const

/** A small programme: an organization, its stoves in Kenya, and claims about them. */
export const startProgramme = async (startOracle: StartOracle) => {
  const twins = await startTwins(startOracle)
  const user = await twins.oracle.operator('/oauth/codes', { json: { name: 'Mutale', scopes: ['*'] } })
  const { did: evaluator } = (await user.json()) as { readonly did: string }
  const organisation = await twins.entity({ type: 'Organisation', properties: { name: 'Lake Basin Cooks' } })
  const protocol = await twins.entity(stoveProtocol)
  const places = [
    [34.75, -0.1],
    [36.82, -1.29],
    [39.66, -4.05],
    [35.28, 0.51],
  ]
  const stoves: EntityRecord[] = []
  for (const [index, coordinates] of places.entries()) {
    stoves.push(
      await twins.entity({
        type: 'CookStove',
        protocol: protocol.did,
        controller: evaluator,
        properties: {
          name: `Stove A-${17 + index}`,
          serial: `A-${17 + index}`,
          fuel: index % 2 === 0 ? 'pellets' : 'ethanol',
          watts: 1_800,
          location: { type: 'Point', coordinates },
        },
        relationships: { operator: organisation.did },
      }),
    )
  }
  const collection = await twins.collection({
    title: 'Season 2026',
    protocol: protocol.did,
    evaluation: 'person',
    submitters: 'anyone',
    evaluators: [evaluator],
    credentialType: 'CleanCookingCredential',
  })
  return { ...twins, evaluator, organisation, protocol, stoves, collection }
}
