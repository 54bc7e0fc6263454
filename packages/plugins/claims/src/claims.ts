import { definePlugin, provide } from '@sibyl/plugin'
import {
  claimChecks,
  claimSubmission,
  credentialIssuer,
  entityDirectory,
  personFiles,
  personNotices,
  propertyRules,
  userPreferences,
} from '@sibyl/protocol'
import { z } from 'zod'
import { createParties } from './access/parties.ts'
import { claimTools } from './claim-tools.ts'
import { makeIds } from './claims/claim.ts'
import { createClaimReader, createClaimRegister } from './claims/claim-reader.ts'
import { claimRoutes } from './claims/claim-routes.ts'
import { createClaimStore } from './claims/claim-store.ts'
import { createReportInbox } from './claims/report-inbox.ts'
import { createSubmitClaim } from './claims/submit-claim.ts'
import { collectionRoutes } from './collections/collection-routes.ts'
import { createCollectionStore } from './collections/collection-store.ts'
import { createCollections } from './collections/collections.ts'
import type { ClaimsTables } from './definitions/claims-tables.ts'
import { claimsMigrations } from './definitions/claims-tables.ts'
import { personClaims } from './erasing/person-claims.ts'
import { createClaimDecisions } from './evaluation/claim-decisions.ts'
import { createDecideClaim } from './evaluation/decide-claim.ts'
import { createEvaluation } from './evaluation/evaluate-claim.ts'
import { evaluationRoutes } from './evaluation/evaluation-routes.ts'
import { manifest } from './manifest.ts'
import { createPhoneNotices } from './notices/phone-notices.ts'
import { claimRegister } from './records/claim-register.ts'
import { collectionId } from './records/collection-records.ts'
import { violationsOfDefinition } from './rubric/claim-definition.ts'

/**
 * Environment variables of this plugin. `ENTITIES_API_KEYS` belongs to the entities plugin; its keys also open these
 * routes.
 */
const claimsEnv = z.object({
  CLAIMS_REPORTS_COLLECTION: collectionId.optional().meta({
    description: 'The id of the collection that receives reports by phone.',
    example: '01938f6a-7c1e-7b7a-9c55-3f1d1f1f7a55',
    defaultText: 'the collection `reports`, created with the first report',
  }),
  CLAIMS_QUOTA_MB: z.coerce.number().int().min(0).max(1_000_000).default(20).meta({
    description:
      'Maximum megabytes of claims that one caller may submit to collections with `submitters: anyone` and no quota; 0 means no limit.',
    example: '20',
  }),
  CLAIMS_TOTAL_MB: z.coerce.number().int().min(0).max(1_000_000_000).default(2_000).meta({
    description:
      'The same for all such callers together, of which a network has the share `LIMIT_SHARE_PERCENT` with `ORACLE_ACCESS=open`; 0 means no limit.',
    example: '2000',
  }),
})

/**
 * Receives claims about entities, evaluates them, and issues credentials for those that are approved.
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
    uses: ['credentials', 'files', 'sms', 'user-preferences'],
    migrations: claimsMigrations,
    setup(host) {
      const { storage, clock, identity, access } = host
      const parties = createParties(identity)
      const directory = host.service(entityDirectory)
      const rules = host.service(propertyRules)
      host.service(claimChecks).use(claim => violationsOfDefinition(claim, rules))
      const preferences = host.optionalService(userPreferences)
      const notices = createPhoneNotices(host, storage, host.optionalService(personNotices.sms), preferences)
      const collections = createCollectionStore(storage)
      const newId = makeIds(() => clock.now())
      const shared = { host, storage, clock, directory, rules, parties, collections, newId }
      const claims = createClaimStore(storage, notices.report)
      const space = host.limits.space({
        perHolder: host.env.CLAIMS_QUOTA_MB * 1_000_000,
        total: host.env.CLAIMS_TOTAL_MB * 1_000_000,
      })
      const submit = createSubmitClaim({ ...shared, claims, access, space })
      const reader = createClaimReader({ ...shared, claims, files: host.optionalService(personFiles) })
      const evaluating = { ...shared, claims, reader, issuer: host.optionalService(credentialIssuer) }
      const decide = createDecideClaim(evaluating)
      const evaluation = createEvaluation(evaluating, decide)
      const decisions = createClaimDecisions(evaluating, decide)
      return {
        routes: [
          ...collectionRoutes({ ...shared, collections: createCollections(shared), store: collections, host }),
          ...claimRoutes({ ...shared, submit, claims, reader }),
          ...evaluationRoutes({ evaluation, decisions, reader, parties }),
        ],
        tools: claimTools({ ...shared, submit, claims, reader, evaluation, decisions }),
        personalRecords: personClaims({ ...evaluating, space, claims: createClaimStore(storage) }),
        services: [
          provide(
            claimSubmission,
            createReportInbox({ ...shared, submit, collection: host.env.CLAIMS_REPORTS_COLLECTION }),
          ),
          provide(claimRegister, createClaimRegister(claims, parties)),
        ],
      }
    },
  })
