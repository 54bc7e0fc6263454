import { edgeText, type StoredEntities } from '../entities/read-entities.ts'
import type { ClaimRow, CredentialRow, StepRow, StoredClaims } from './read-claims.ts'

/** Problems, one per line. */
export interface Settled {
  /** Claims, credentials, entities and edges that do not agree. */
  readonly halves: readonly string[]
  /** Claims with more or fewer credentials than they must have, and credentials that follow from no claim. */
  readonly credentials: readonly string[]
  /** Collections that have taken more than they may, or another number than they say. */
  readonly quotas: readonly string[]
  /** Places of status lists that are used twice, or not by the credential that says so. */
  readonly places: readonly string[]
}

/** Judges what is stored of claims: whether what belongs together was written together. */
export const judgeSettled = (stored: StoredClaims, entities: StoredEntities): Settled => {
  const halves: string[] = []
  const credentials: string[] = []
  const byId = new Map(stored.credentials.map(row => [row.id, row]))
  const byClaim = Map.groupBy(stored.credentials, row => row.document.credentialSubject.claim)
  const edges = new Set<string>()
  for (const claim of stored.claims) {
    const steps = stored.steps.get(claim.id) ?? []
    const actions = new Set(steps.map(({ action }) => action))
    const uri = `urn:uuid:${claim.id}`
    const own = byClaim.get(uri) ?? []
    const credential = byId.get(claim.credential_id ?? '')
    if (!areSteps(claim, steps))
      halves.push(`claim ${claim.id}: ${claim.state} after ${steps.map(step => step.to_state)}`)
    if (own.length !== (actions.has('approve') ? 1 : 0) || own[0] !== credential) {
      credentials.push(`claim ${claim.id}: ${claim.state} with ${own.length} credentials`)
    }
    const status = actions.has('approve') ? (actions.has('invalidate') ? 'revoked' : 'issued') : null
    const worth = status === 'issued' ? 'active' : (status ?? undefined)
    if (claim.credential_status !== status || credential?.status !== worth) {
      halves.push(
        `claim ${claim.id}: ${claim.state}, credential ${claim.credential_status}, which is ${credential?.status}`,
      )
    }
    if (!actions.has('approve')) continue
    edges.add(edgeText(idOf(claim.asset), 'produces', uri))
    edges.add(edgeText(claim.decided_by ?? 'nobody', 'verifies', uri))
    edges.add(edgeText(uri, 'becomes', claim.credential_id ?? 'nothing'))
  }
  const ofClaims = new Set(stored.claims.map(({ id }) => `urn:uuid:${id}`))
  for (const uri of byClaim.keys()) {
    if (uri !== undefined && !ofClaims.has(String(uri))) credentials.push(`a credential of ${uri}, which is not there`)
  }
  const there = [...entities.edges].filter(edge => /^\S+ (?:produces|verifies|becomes) /.test(edge))
  halves.push(...there.filter(edge => !edges.has(edge)).map(edge => `edge ${edge}: is there`))
  halves.push(...[...edges].filter(edge => !entities.edges.has(edge)).map(edge => `edge ${edge}: is missing`))
  halves.push(...entriesAmiss(stored, entities), ...revocationsAmiss(stored))
  return { halves, credentials, quotas: quotasAmiss(stored), places: placesAmiss(stored) }
}

const idOf = (did: string): string => did.slice(did.lastIndexOf(':') + 1)

const areSteps = ({ state, version }: ClaimRow, steps: readonly StepRow[]): boolean =>
  steps.length === version &&
  steps.at(-1)?.to_state === state &&
  steps.every(({ position, from_state }, index) => {
    const before = steps[index - 1]?.to_state ?? null
    return position === index + 1 && from_state === before
  })

/** Entities whose record does not name each of their good credentials once. */
const entriesAmiss = ({ credentials }: StoredClaims, { entities }: StoredEntities): readonly string[] => {
  const good = Map.groupBy(
    credentials.filter(({ status }) => status !== 'revoked'),
    ({ subject }) => idOf(subject),
  )
  return [...entities.values()].flatMap(({ id, details }) => {
    const named = (details.credentials ?? []).map(credential => credential.id).sort()
    const wanted = (good.get(id) ?? []).map(credential => credential.id).sort()
    return named.join() === wanted.join() ? [] : [`entity ${id}: names ${named.length} credentials of ${wanted.length}`]
  })
}

const placeText = ({ list, place }: { readonly list: string; readonly place: number }): string => `${list} ${place}`

/** Credentials that are revoked in one place and not in another. */
const revocationsAmiss = ({ credentials, marks, revocations }: StoredClaims): readonly string[] => {
  const marked = new Set(marks.filter(({ purpose }) => purpose === 'revocation').map(placeText))
  const noted = Map.groupBy(revocations, id => id)
  return credentials.flatMap(row => {
    const wanted = row.status === 'revoked' ? 1 : 0
    const isSame = Number(marked.has(placeText(row))) === wanted && (noted.get(row.id)?.length ?? 0) === wanted
    return isSame ? [] : [`credential ${row.id}: ${row.status}, and its mark or its note is not`]
  })
}

const quotasAmiss = ({ claims, collections, assetCounts }: StoredClaims): readonly string[] => {
  const taken = Map.groupBy(claims, row => row.collection_id)
  const ofAssets = Map.groupBy(claims, row => `${row.collection_id} ${row.asset}`)
  const counted = new Map(assetCounts.map(row => [`${row.collection_id} ${row.asset}`, row.taken]))
  return [
    ...collections.flatMap(({ id, taken: stated, quota_all, quota_per_asset }) => {
      const own = taken.get(id) ?? []
      const ofEach = [...Map.groupBy(own, row => row.asset).values()].map(rows => rows.length)
      const max = Math.max(0, ...ofEach)
      const isKept = own.length <= (quota_all ?? Number.POSITIVE_INFINITY) && max <= (quota_per_asset ?? max)
      return isKept && own.length === stated
        ? []
        : [
            `collection ${id}: ${own.length} claims, says ${stated}, may ${quota_all}, ${max} an asset of ${quota_per_asset}`,
          ]
    }),
    ...[...ofAssets].flatMap(([key, rows]) =>
      rows.length === counted.get(key)
        ? []
        : [`collection and asset ${key}: ${rows.length} claims, says ${counted.get(key)}`],
    ),
  ]
}

const placesAmiss = ({ credentials, places, lists }: StoredClaims): readonly string[] => {
  const takers = Map.groupBy(places, placeText)
  const users = Map.groupBy(credentials, placeText)
  const hasPlace = ({ list, place, document }: CredentialRow) =>
    document.credentialStatus.every(({ id, statusPurpose }) =>
      id.endsWith(`/status-lists/${list}-${statusPurpose}#${place}`),
    )
  return [
    ...[...users]
      .filter(([, rows]) => rows.length > 1)
      .map(([place, rows]) => `place ${place}: of ${rows.length} credentials`),
    ...credentials.flatMap(row => {
      const taker = takers.get(placeText(row))?.[0]?.credential_id
      return taker === row.id && hasPlace(row) ? [] : [`credential ${row.id}: its place is taken by ${taker}`]
    }),
    ...places.filter(row => !users.has(placeText(row))).map(row => `place ${placeText(row)}: has no credential`),
    ...lists
      .filter(({ allotted, entries }) => allotted !== entries)
      .map(({ id, allotted, entries }) => `list ${id}: ${entries} places, says ${allotted}`),
  ]
}
