import {
  defineTool,
  holdsAbility,
  isOracleError,
  isToolFailure,
  personalAbility,
  ToolFailure,
  type Tools,
  type Turn,
} from '@sibyl/plugin'
import { didText, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import type { CredentialAbility, CredentialRights } from './access/credential-rights.ts'
import { credentialsErrors } from './definitions/credentials-errors.ts'
import { credentialMembers, maxDocumentCharacters, type ReadDocument, readDocument } from './documents/read-document.ts'
import { type IssueDependencies, issueCredential } from './issuing/issue-credential.ts'
import { type Verdict, verdict } from './records/verdict.ts'
import { type StatusDependencies, writeStatus } from './routes/issue-routes.ts'
import { parseCredentialId, statusReason } from './storage/credential-records.ts'
import type { CredentialStore } from './storage/credential-store.ts'
import type { CredentialVerifier } from './verifying/create-verifier.ts'
import type { ResolveDid } from './verifying/find-key.ts'

const dayMs = 86_400_000

interface CredentialToolsDependencies {
  readonly issuing: IssueDependencies
  readonly changing: StatusDependencies
  readonly verifier: CredentialVerifier
  readonly store: CredentialStore
  readonly rights: CredentialRights
  readonly resolveDid: ResolveDid
}

/** Creates the tools. They do the same as the routes; a user approves each signature. */
export const credentialTools = ({
  issuing,
  changing,
  verifier,
  store,
  rights,
  resolveDid,
}: CredentialToolsDependencies): Tools => {
  /** Requires approval only from users who have the ability; others are rejected without a question. */
  const asksWhoMay = (ability: CredentialAbility) => (_input: unknown, turn: Turn) =>
    rights.mayAlways(turn.actor, ability) ? ('user' as const) : ('none' as const)
  return {
    issue_credential: defineTool({
      description: "Issues a credential about a person or thing with a DID, signed with the oracle's key.",
      effect: 'write',
      ability: 'credentials/issue',
      approval: asksWhoMay('credentials/issue'),
      describe: ({ type, subject }) => `Sign and issue a ${credentialTypeName(type)} to ${subject}.`,
      input: z.object({
        type: z.string().min(1).max(100).describe("Subject matter: 'clean cooking' or 'CleanCookingCredential'"),
        subject: didText.describe('DID of its subject'),
        properties: z.record(z.string().min(1).max(200), jsonValue).optional().describe('Claims about the subject'),
        valid_days: z
          .int()
          .min(1)
          .max(36_500)
          .optional()
          .describe('Validity in days; omit it for a credential that does not expire'),
      }),
      output: z.object({
        id: z.string(),
        type: z.string(),
        subject: z.string(),
        issuer: z.string(),
        valid: z.string(),
      }),
      async execute({ type, subject, properties = {}, valid_days: days }, { turn, idempotencyKey, emit }) {
        try {
          const actor = rights.demand(turn.actor, 'credentials/issue')
          if (Object.hasOwn(properties, 'id'))
            throw new ToolFailure("Remove the property 'id'. It is the DID in subject.")
          const stored = await issueCredential(
            {
              type: credentialTypeName(type),
              subject: { ...properties, id: subject },
              issuedBy: rights.nameOf(actor),
              idempotencyKey,
              ...(days === undefined ? {} : { validUntil: changing.now() + days * dayMs }),
            },
            issuing,
          )
          emit({ name: 'credential', data: stored.document })
          const { validUntil, issuer } = stored.document
          const valid = validUntil === undefined ? 'without an end date' : `until ${String(validUntil)}`
          return { id: stored.id, type: stored.type, subject, issuer: String(issuer), valid }
        } catch (error) {
          throw asToolFailure(error)
        }
      },
    }),
    verify_credential: defineTool({
      description: 'Verifies a credential: its issuer, and whether it was altered, has expired, or was revoked.',
      effect: 'read',
      input: z.object({
        credential: z
          .string()
          .min(1)
          .max(maxDocumentCharacters)
          .describe('The credential as JSON, or the id of a credential that this oracle issued: urn:uuid:…'),
      }),
      output: verdict.extend({ summary: z.string() }),
      async execute({ credential }, { turn }) {
        const id = parseCredentialId(credential)
        if (id === undefined) return summed(await verifier.verify(readDocument(credential, ...credentialMembers)))
        const stored = await store.find(id)
        const { actor } = turn
        const mayReadOwn = holdsAbility(actor.scopes, ['credentials/read', personalAbility])
        const isAllowed = mayReadOwn || rights.mayAlways(actor, 'credentials/read')
        if (!stored || !isAllowed || !(await rights.mayRead(actor, stored))) {
          throw new ToolFailure(
            'This oracle issued no credential with this id that you may see. Pass the credential itself as JSON.',
          )
        }
        if (stored.erasedAt !== undefined) {
          throw new ToolFailure(
            "The content of that credential was erased with its person's data. Pass the credential itself as JSON.",
          )
        }
        const read: ReadDocument = { ok: true, document: stored.document }
        return summed(await verifier.verify(read))
      },
    }),
    revoke_credential: defineTool({
      description: 'Revokes a credential that this oracle issued. This cannot be undone.',
      effect: 'write',
      ability: 'credentials/revoke',
      approval: asksWhoMay('credentials/revoke'),
      describe: ({ id }) => `Revoke the credential ${id} permanently.`,
      input: z.object({
        id: z.string().min(1).max(100).describe('Id of the credential: urn:uuid:…'),
        reason: statusReason.describe('Reason for the revocation'),
      }),
      output: z.object({ id: z.string(), status: z.literal('revoked') }),
      async execute({ id: text, reason }, { turn }) {
        try {
          const actor = rights.demand(turn.actor, 'credentials/revoke')
          const id = parseCredentialId(text)
          if (id === undefined) throw credentialsErrors.credential_not_found()
          await writeStatus({ id, kind: 'revoked', by: rights.nameOf(actor), reason, at: changing.now() }, changing)
          return { id, status: 'revoked' as const }
        } catch (error) {
          throw asToolFailure(error)
        }
      },
    }),
    resolve_did: defineTool({
      description: 'Resolves the DID of a key, of this oracle or of one of its entities to its DID document.',
      effect: 'read',
      input: z.object({ did: z.string().min(1).max(2_000).describe('The DID: did:key:… or did:web:…') }),
      output: z.object({ found: z.boolean(), summary: z.string(), document: z.looseObject({}).optional() }),
      async execute({ did }) {
        const resolved = await resolveDid(did)
        if ('fault' in resolved) return { found: false, summary: `${did} was not resolved: ${resolved.fault}` }
        const { document } = resolved
        const keys = document.verificationMethod?.map(({ publicKeyMultibase }) => publicKeyMultibase) ?? []
        const services = document.service?.map(({ type, serviceEndpoint }) => `${type} at ${serviceEndpoint}`) ?? []
        const summary = [
          `${document.id} was resolved.`,
          `Keys: ${keys.join(', ') || 'none'}.`,
          ...(services.length > 0 ? [`Services: ${services.join(', ')}.`] : []),
        ].join(' ')
        return { found: true, summary, document: { ...document } }
      },
    }),
  }
}

/** Turns an error with safe text into a tool failure. Other errors are returned unchanged and are masked. */
const asToolFailure = (error: unknown): unknown =>
  isOracleError(error) && !isToolFailure(error) ? new ToolFailure(error.message) : error

/**
 * Returns the name of a credential type: `clean cooking` becomes `CleanCookingCredential`.
 *
 * @param text hostile; text that cannot become a name is returned in a form that is rejected as a type
 */
const credentialTypeName = (text: string): string => {
  const words = text.match(/[A-Za-z0-9]+/g) ?? []
  const name = words.map(word => word[0]!.toUpperCase() + word.slice(1)).join('')
  return name.endsWith('Credential') ? name : `${name}Credential`
}

const summed = (judged: Verdict): Verdict & { summary: string } => {
  const bad = judged.checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)
  return {
    ...judged,
    summary: judged.verified ? 'The credential is valid.' : `The credential is invalid. ${bad.join('; ')}.`,
  }
}
