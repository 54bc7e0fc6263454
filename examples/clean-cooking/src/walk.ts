import { type ClaimRecord, claimDetails, claimRecord, collectionRecord } from '@sibyl/plugin-claims/records'
import { type EntityCreation, type EntityRecord, entityRecord } from '@sibyl/plugin-entities/records'
import { z } from 'zod'
import { type AskOracle, askOracle, OracleRefusal } from './ask-oracle.ts'
import type { Programme } from './open-programme.ts'
import { season, stove, stoveProtocol, week } from './programme.ts'

/** The output of the walk: a heading, or a line below it. */
export interface Narrator {
  step(title: string): void
  line(label: string, text: string): void
}

const graph = z.object({ edges: z.array(z.object({ from: z.string(), relationship: z.string(), to: z.string() })) })
const kept = z.object({ credential: z.looseObject({ type: z.array(z.string()), issuer: z.unknown() }) })
const verdict = z.object({
  verified: z.boolean(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string().optional() })),
})

/**
 * Goes from a protocol to a verified credential, and revokes it: organisations implement projects, projects generate
 * assets, assets produce claims, oracles verify claims, claims become credentials.
 *
 * @throws OracleRefusal where the oracle refuses what it should take
 */
export const walk = async ({ url, officeKey, fieldKey }: Programme, narrator: Narrator): Promise<void> => {
  const [office, field] = [askOracle(url, officeKey), askOracle(url, fieldKey)]
  const create = (ask: AskOracle, body: EntityCreation) => ask('/v1/entities', entityRecord, body)
  const reportedBy = async (name: string, made: Promise<EntityRecord>) => {
    const entity = await made
    narrator.line(name, `${entity.did}   ${entity.domainClass}`)
    return entity
  }

  narrator.step('The office writes the protocol, and enters the oracle itself')
  const protocol = await reportedBy('Protocol', create(office, stoveProtocol))
  const verifier = await reportedBy('Oracle', create(office, { type: 'Oracle', properties: { name: 'Verifier' } }))

  narrator.step('A co-operative registers itself, its project and a stove')
  const organisation = await reportedBy(
    'Organisation',
    create(field, { type: 'Organisation', properties: { name: 'Jikoni' }, membershipGroups: ['Growers', 'Cooks'] }),
  )
  const project = await reportedBy(
    'Project',
    create(field, { type: 'Project', properties: { name: 'Clean kitchens' } }),
  )
  await relate(field, organisation, 'implements', project)
  const device = await reportedBy(
    'Device',
    create(field, {
      ...stove,
      protocol: protocol.did,
      relationships: { operator: organisation.did, verifier: verifier.did },
    }),
  )
  await relate(field, project, 'generates', device)

  narrator.step('A stove that does not match the protocol is rejected with every error')
  const misfit = { ...stove, protocol: protocol.did, properties: { fuel: 'paraffin', watts: '1800', colour: 'red' } }
  for (const { path, message } of await violationsOf(create(field, misfit))) narrator.line(path, message)

  narrator.step('The co-operative claims a week of cooking, and the oracle evaluates it')
  const collection = await office('/v1/collections', collectionRecord, {
    ...season,
    protocol: protocol.did,
    verifier: verifier.did,
  })
  const submitted = await field('/v1/claims', claimRecord, { ...week, collection: collection.id, asset: device.did })
  narrator.line('Claim', `${submitted.id}   ${submitted.state}`)
  const claim = await office(`/v1/claims/${submitted.id}/evaluate`, claimRecord, {})
  for (const { id, passed, of } of claim.verdict?.checks ?? [])
    narrator.line(id, `${passed ? 'met' : 'not met'} (${of})`)
  const { transitions } = await office(`/v1/claims/${submitted.id}`, claimDetails)
  narrator.line('Steps', transitions.map(({ to }) => to).join(' → '))

  narrator.step('The claim became a credential of the stove')
  const { verifiableCredential } = await field(`/v1/entities/${encodeURIComponent(device.did)}`, entityRecord)
  for (const { type, issuer } of verifiableCredential) narrator.line(type, `issued by ${issuer}`)
  const around = await field(`/v1/graph?from=${encodeURIComponent(organisation.did)}&depth=5`, graph)
  narrator.line('Graph', [...new Set(around.edges.map(({ relationship }) => relationship))].sort().join(', '))

  narrator.step('Any caller can verify it, and detect a change or a revocation')
  const id = credentialIdOf(claim)
  const { credential } = await office(`/credentials/${encodeURIComponent(id)}`, kept)
  const verify = (document: unknown) => field('/credentials/verify', verdict, { credential: document })
  const printVerdict = async (label: string, document: unknown) => {
    const { verified, checks } = await verify(document)
    const failed = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail ?? 'failed'}`)
    narrator.line(
      label,
      verified ? `verified (${checks.map(({ name }) => name).join(', ')})` : `refused, ${failed.join('; ')}`,
    )
  }
  await printVerdict('As issued', credential)
  await printVerdict('Altered', { ...credential, validUntil: '2099-01-01T00:00:00Z' })
  await office(`/credentials/${encodeURIComponent(id)}/revoke`, z.unknown(), { reason: 'The meter was broken.' })
  await printVerdict('Revoked', credential)
}

const relate = (ask: AskOracle, from: EntityRecord, relationship: string, to: EntityRecord): Promise<EntityRecord> =>
  ask(`/v1/entities/${encodeURIComponent(from.did)}/relationships`, entityRecord, { relationship, targets: [to.did] })

/** Returns the errors of a request that the oracle is expected to reject. */
const violationsOf = async (refused: Promise<unknown>): Promise<OracleRefusal['issues']> => {
  try {
    await refused
  } catch (error) {
    if (error instanceof OracleRefusal) return error.issues
    throw error
  }
  throw new Error('A stove that does not fit its protocol was taken in.')
}

const credentialIdOf = ({ id, credential }: ClaimRecord): string => {
  if (credential?.id === undefined) throw new Error(`The claim ${id} became no credential.`)
  return credential.id
}
