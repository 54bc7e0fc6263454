import { type Clock, erasedMark, type PersonalRecords, type StoredSpace } from '@sibyl/plugin'
import { toJson } from '@sibyl/plugin/storage'
import type { credentialIssuer, entityDirectory, JsonValue, propertyRules, ServiceOf } from '@sibyl/protocol'
import type { Parties } from '../access/parties.ts'
import { type Claim, type ClaimRowRead, claimDetailsOf, claimOf } from '../claims/claim.ts'
import type { ClaimStore, Step } from '../claims/claim-store.ts'
import { claimRowBytes } from '../claims/submit-claim.ts'
import type { CollectionStore } from '../collections/collection-store.ts'
import type { ClaimsStorage, ClaimsTransaction } from '../definitions/claims-tables.ts'
import type { ClaimVerdict, EvidenceEntry } from '../records/claim-records.ts'
import type { RubricCondition } from '../records/rubric-condition.ts'
import { parseClaimDefinition } from '../rubric/claim-definition.ts'
import { pointerSegments, valueAt } from '../rubric/json-pointer.ts'
import { eraseFromCollections } from './erase-from-collections.ts'

/** Dependencies of the personal records. */
export interface PersonClaimsDependencies {
  readonly storage: ClaimsStorage
  /** Store that sends no notices: their recipient is erased. */
  readonly claims: Pick<ClaimStore, 'move' | 'transitions'>
  readonly collections: Pick<CollectionStore, 'find'>
  readonly directory: Pick<ServiceOf<typeof entityDirectory>, 'protocol'>
  readonly rules: ServiceOf<typeof propertyRules>
  readonly parties: Parties
  readonly issuer: Pick<ServiceOf<typeof credentialIssuer>, 'scrub'> | undefined
  readonly clock: Clock
  readonly space: StoredSpace
}

/** Number of claims that are read or erased at a time. */
const pageSize = 100

/**
 * Creates the personal records: claims that a person submitted, and claims about the person's entities. An erasure
 * keeps decisions, the results of checks, the amounts that conditions compared, and the hashes of evidence and content,
 * so that counts and quotas hold. A pending claim is rejected.
 */
export const personClaims = (dependencies: PersonClaimsDependencies): PersonalRecords => {
  const { storage, claims, parties, clock, space } = dependencies

  const page = (did: string, which: 'own' | 'any', after: string) =>
    storage.read
      .selectFrom('claims_claims')
      .selectAll()
      .where(of =>
        of.or([
          of('submitter', '=', did),
          of('asset_controller', '=', did),
          ...(which === 'own'
            ? []
            : [
                of('decided_by', '=', did),
                of('id', 'in', of.selectFrom('claims_transitions').select('claim_id').where('by', '=', did)),
              ]),
        ]),
      )
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute()

  /** Returns the conditions that apply to a claim. */
  const conditionsOf = async ({ collection, protocol }: Claim): Promise<readonly RubricCondition[]> => {
    const found = await dependencies.collections.find(collection)
    const definition = protocol && (await dependencies.directory.protocol(protocol.did, protocol.version))
    const parsed = parseClaimDefinition(definition?.claim, dependencies.rules)
    return [...('definition' in parsed ? parsed.definition.rubric : []), ...(found?.conditions ?? [])]
  }

  const eraseOne = async (row: ClaimRowRead, did: string): Promise<void> => {
    const claim = claimOf(row)
    const isTheirs = claim.submitter === did || claim.assetController === did
    const conditions = isTheirs ? await conditionsOf(claim) : []
    await storage.write(
      async tx => {
        if (claim.submitter === did) await rejectWaiting(claim, tx)
        await scrub(row, { did, isTheirs, conditions }, tx)
        if (isTheirs && row.credential_id !== null) await dependencies.issuer?.scrub([row.credential_id], tx)
      },
      { isolation: 'read committed', scrub: true },
    )
  }

  const rejectWaiting = async (claim: Claim, tx: ClaimsTransaction): Promise<void> => {
    if (claim.state !== 'submitted' && claim.state !== 'evaluating') return
    const by = parties.oracle
    const reject: Step = { action: 'reject', by, why: 'The submitter was erased.' }
    const steps = claim.state === 'submitted' ? [{ action: 'evaluate' as const, by }, reject] : [reject]
    await claims.move(claim, steps, { decision: { by, overruled: false } }, clock.now(), tx)
  }

  return {
    async export(did) {
      const records: ReturnType<typeof claimDetailsOf>[] = []
      for (let after = ''; ; ) {
        const rows = await page(did, 'own', after)
        for (const row of rows) records.push(claimDetailsOf(claimOf(row), await claims.transitions(row.id)))
        after = rows.at(-1)?.id ?? after
        if (rows.length < pageSize) break
      }
      return records.length === 0 ? undefined : JSON.parse(JSON.stringify(records))
    },
    async erase(did) {
      let staying = 0
      for (let after = ''; ; ) {
        const rows = await page(did, 'any', after)
        for (const row of rows) {
          await eraseOne(row, did)
          if (row.submitter === did) staying += claimRowBytes
        }
        after = rows.at(-1)?.id ?? after
        if (rows.length < pageSize) break
      }
      await storage.write(tx => space.erase(tx, did, staying), { scrub: true })
      await eraseFromCollections(storage, did, parties.oracle)
    },
  }
}

/** Writes a claim and its transitions without personal data. */
const scrub = async (
  row: ClaimRowRead,
  erasing: { readonly did: string; readonly isTheirs: boolean; readonly conditions: readonly RubricCondition[] },
  tx: ClaimsTransaction,
): Promise<void> => {
  const { did, isTheirs, conditions } = erasing
  const mark = erasedMark(did)
  const party = <Did extends string | null>(one: Did): Did | string => (one === did ? mark : one)
  const now = await tx
    .selectFrom('claims_claims')
    .select(['decided_by', 'verdict'])
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  const verdict = now.verdict === null ? null : { ...now.verdict, by: party(now.verdict.by) }
  await tx
    .updateTable('claims_claims')
    .set({
      submitter: party(row.submitter),
      asset_controller: party(row.asset_controller),
      decided_by: party(now.decided_by),
      verdict: verdict && toJson(isTheirs ? decisionOf(verdict) : verdict),
      ...(isTheirs ? { data: toJson(amountsOf(row.data, conditions)), evidence: toJson(hashesOf(row.evidence)) } : {}),
    })
    .where('id', '=', row.id)
    .execute()
  const steps = tx.updateTable('claims_transitions').where('claim_id', '=', row.id)
  if (isTheirs) await steps.set({ why: null }).execute()
  await steps.set({ by: mark, why: null }).where('by', '=', did).execute()
}

/**
 * Returns the amounts that the decision depends on: the numbers and booleans that conditions compared. All other data
 * is removed.
 */
const amountsOf = (
  data: Readonly<Record<string, JsonValue>>,
  conditions: readonly Pick<RubricCondition, 'path'>[],
): Record<string, JsonValue> => {
  const amounts: Record<string, JsonValue> = {}
  for (const { path } of conditions) {
    const value = valueAt(data, path)
    if (typeof value === 'number' || typeof value === 'boolean') put(amounts, pointerSegments(path), value)
  }
  return amounts
}

const put = (into: Record<string, JsonValue>, segments: readonly string[], value: JsonValue): void => {
  const [name, ...rest] = segments
  if (name === undefined || name === '__proto__') return
  if (rest.length === 0) {
    into[name] = value
    return
  }
  const inner = Object.hasOwn(into, name) ? into[name] : {}
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return
  into[name] = inner
  put(inner, rest, value)
}

/** Returns evidence with its hashes only, without names and addresses of files. */
export const hashesOf = (evidence: readonly EvidenceEntry[]): EvidenceEntry[] =>
  evidence.map(({ hash, mediaType }) => ({ hash, mediaType }))

/** Returns the decision and the checks of a verdict, without its text. */
export const decisionOf = ({ decision, checks, method, by, at }: ClaimVerdict): ClaimVerdict => ({
  decision,
  reasons: [],
  checks: checks.map(({ id, of, passed }) => ({ id, of, passed })),
  method,
  by,
  at,
})
