import { definePlugin, type Host, provide } from '@sibyl/plugin'
import {
  claimChecks,
  claimRegister,
  claimSubmission,
  credentialIssuer,
  entityDirectory,
  propertyRules,
  smsNotices,
  userPreferences,
} from '@sibyl/protocol'
import { createParties } from './access/parties.ts'
import { makeIds } from './claims/claim-id.ts'
import { createClaimReader } from './claims/claim-reader.ts'
import { createClaimRegister } from './claims/claim-register.ts'
import { claimRoutes } from './claims/claim-routes.ts'
import { createClaimStore } from './claims/claim-store.ts'
import { createSubmitClaim } from './claims/submit-claim.ts'
import { type ClaimsEnv, claimsEnv } from './claims-env.ts'
import { collectionRoutes } from './collections/collection-routes.ts'
import { createCollectionStore } from './collections/collection-store.ts'
import { createCollections } from './collections/collections.ts'
import { personClaims } from './erasing/person-claims.ts'
import { createEvaluation } from './evaluation/evaluate-claim.ts'
import { evaluationRoutes } from './evaluation/evaluation-routes.ts'
import { createSettlement } from './evaluation/settle-claims.ts'
import { manifest } from './manifest.ts'
import { createPhoneNotices } from './notices/phone-notices.ts'
import { createReportInbox } from './reports/report-inbox.ts'
import { faultsOfDefinition } from './rubric/claim-definition.ts'
import { claimsMigrations } from './storage/claims-migrations.ts'
import type { ClaimsTables } from './storage/claims-tables.ts'
import { disputeClaimTool } from './tools/dispute-claim-tool.ts'
import { evaluateClaimTool } from './tools/evaluate-claim-tool.ts'
import { listClaimsTool } from './tools/list-claims-tool.ts'
import { submitClaimTool } from './tools/submit-claim-tool.ts'

/**
 * Takes claims about entities in, evaluates them, and turns those that are approved into credentials.
 *
 * @example
 * await createOracleApp({ config, plugins: [entities(), claims()] })
 */
export const claims = () =>
  definePlugin<typeof claimsEnv, ClaimsTables>({
    name: 'claims',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: claimsEnv,
    requires: ['entities'],
    uses: ['credentials', 'sms', 'user-preferences'],
    migrations: claimsMigrations,
    setup(host) {
      const parts = makeParts(host)
      const { collections, collectionStore, submit, reportInbox, records, ...rooms } = parts
      const tools = { ...rooms, submit, collections: collectionStore, clock: host.clock }
      return {
        routes: [
          ...collectionRoutes({ ...rooms, collections, store: collectionStore, access: host.access }),
          ...claimRoutes({ ...rooms, submit }),
          ...evaluationRoutes(rooms),
        ],
        tools: {
          list_claims: listClaimsTool(tools),
          submit_claim: submitClaimTool(tools),
          evaluate_claim: evaluateClaimTool(tools),
          dispute_claim: disputeClaimTool(tools),
        },
        personalRecords: records,
        services: [
          provide(claimSubmission, reportInbox),
          provide(claimRegister, createClaimRegister(rooms.claims, rooms.parties)),
        ],
      }
    },
  })

/** Makes what the plugin's rooms share. */
const makeParts = (host: Host<ClaimsEnv, ClaimsTables>) => {
  const { storage, clock, identity } = host
  const parties = createParties(identity)
  const directory = host.service(entityDirectory)
  const rules = host.service(propertyRules)
  host.service(claimChecks).use(claim => faultsOfDefinition(claim, rules))
  const issuer = host.optionalService(credentialIssuer)
  const notices = createPhoneNotices({
    host,
    storage,
    notices: host.optionalService(smsNotices),
    preferences: host.optionalService(userPreferences),
  })
  const claims = createClaimStore(storage, notices.tell)
  const collectionStore = createCollectionStore(storage)
  const newId = makeIds(() => clock.now())
  const submit = createSubmitClaim({
    storage,
    claims,
    collections: collectionStore,
    directory,
    rules,
    parties,
    clock,
    newId,
  })
  const reader = createClaimReader({ claims, collections: collectionStore, directory, parties })
  const evaluating = { host, storage, claims, collections: collectionStore, reader, directory, rules, parties, issuer }
  const records = personClaims({
    ...evaluating,
    clock,
    claims: createClaimStore(storage),
  })
  return {
    records,
    parties,
    directory,
    claims,
    reader,
    submit,
    collectionStore,
    collections: createCollections({ storage, store: collectionStore, directory, rules, parties, clock, newId }),
    evaluation: createEvaluation(evaluating),
    settlement: createSettlement(evaluating),
    reportInbox: createReportInbox({
      submit,
      storage,
      collections: collectionStore,
      parties,
      clock,
      collection: host.env.CLAIMS_REPORTS_COLLECTION,
    }),
  }
}
