import type { Clock } from '@sibyl/plugin'
import type { claimSubmission, ServiceOf } from '@sibyl/protocol'
import type { Parties } from '../access/parties.ts'
import type { CollectionStore } from '../collections/collection-store.ts'
import { invalidInput, violation, violationsOf } from '../definitions/claims-errors.ts'
import type { ClaimsStorage } from '../definitions/claims-tables.ts'
import { claimCreation } from '../records/claim-records.ts'
import type { SubmitClaim } from './submit-claim.ts'

export interface ReportDependencies {
  readonly submit: SubmitClaim
  readonly storage: ClaimsStorage
  readonly collections: CollectionStore
  readonly parties: Parties
  readonly clock: Clock
  /** Id of the collection that receives reports. @default the inbox */
  readonly collection: string | undefined
}

/** Id of the collection that is created for reports. */
const inbox = 'reports'

/** Maximum length of a report, in characters. */
const longestReport = 1_000

/** Creates the service that submits reports as claims, each under the DID of its reporter. */
export const createReportInbox = (parts: ReportDependencies): ServiceOf<typeof claimSubmission> => ({
  async submit({ actor, type, summary, idempotencyKey, channel = 'ussd', asset }) {
    const { submit, parties, collection = inbox } = parts
    const creation = claimCreation.safeParse({
      collection,
      type,
      data: { summary },
      asset,
    })
    if (!creation.success) throw invalidInput('claim_invalid', 'The report', violationsOf(creation.error, ''))
    if (summary.trim() === '' || summary.length > longestReport) {
      throw invalidInput('claim_invalid', 'The report', [
        violation('/data/summary', 'wrong_length', `Must have 1 to ${longestReport} characters.`),
      ])
    }
    if (collection === inbox) await openInbox(parts)
    const by = { did: parties.partyOf(actor), channel, idempotencyKey, keyedAlone: true }
    const { claim } = await submit(creation.data, by)
    return { claimId: claim.id }
  },
})

/** Creates the inbox if it does not exist. Its claims are judged by a person who acts as the oracle. */
const openInbox = async ({ storage, collections, parties, clock }: ReportDependencies): Promise<void> => {
  if (await collections.find(inbox)) return
  const now = clock.now()
  const collection = {
    id: inbox,
    title: 'Reports',
    controller: parties.oracle,
    quota: {},
    taken: 0,
    closed: false,
    submitters: 'anyone' as const,
    evaluators: [parties.oracle],
    evaluation: 'person' as const,
    confirm: true,
    conditions: [],
    credentialType: 'ReportCredential',
    createdAt: now,
    updatedAt: now,
  }
  await storage.write(tx => collections.insert(collection, tx))
}
