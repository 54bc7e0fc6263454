import { defineTool, ToolFailure, type Turn } from '@sibyl/plugin'
import { didText, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import type { CredentialRights } from '../access/credential-rights.ts'
import { type IssueParts, issueCredential } from '../issuing/issue-credential.ts'
import { asToolFailure } from './as-tool-failure.ts'
import { credentialTypeName } from './credential-type-name.ts'

const dayMs = 86_400_000

const input = z.object({
  type: z.string().min(1).max(100).describe("What it certifies: 'clean cooking' or 'CleanCookingCredential'"),
  subject: didText.describe('The DID of whom it is about'),
  properties: z.record(z.string().min(1).max(200), jsonValue).optional().describe('What it says of the subject'),
  valid_days: z.int().min(1).max(36_500).optional().describe('How many days it is valid; without it, it has no end'),
})

const output = z.object({
  id: z.string(),
  type: z.string(),
  subject: z.string(),
  issuer: z.string(),
  valid: z.string(),
})

/** The beginning of a long text, which does not pass for the whole. */
const shown = (text: string): string =>
  text.length <= mostShown ? text : `${text.slice(0, mostShown)}… and ${text.length - mostShown} characters more`

const mostShown = 500

/** Asks a person who may issue; who may not is refused without a question. */
export const asksWhoMay =
  (rights: CredentialRights, ability: 'credentials/issue' | 'credentials/revoke') =>
  (_input: unknown, turn: Turn): 'user' | 'none' =>
    rights.mayAlways(turn.actor, ability) ? 'user' : 'none'

/** `issue_credential`: the same as `POST /credentials/issue`, once the person has approved it. */
export const issueCredentialTool = (parts: IssueParts, rights: CredentialRights, now: () => number) =>
  defineTool({
    description: "Issues a credential about somebody or something with a DID, signed with the oracle's key.",
    effect: 'write',
    ability: 'credentials/issue',
    approval: asksWhoMay(rights, 'credentials/issue'),
    describe: ({ type, subject, properties }) =>
      `Sign and issue a ${credentialTypeName(type)} to ${subject}` +
      (properties === undefined ? '' : ` that says ${shown(JSON.stringify(properties))}`),
    input,
    output,
    async execute({ type, subject, properties = {}, valid_days: days }, { turn, idempotencyKey, emit }) {
      try {
        const actor = rights.demand(turn.actor, 'credentials/issue')
        if (Object.hasOwn(properties, 'id')) throw new ToolFailure("Leave out the property 'id': the subject is it.")
        const stored = await issueCredential(
          {
            type: credentialTypeName(type),
            subject: { ...properties, id: subject },
            issuedBy: rights.nameOf(actor),
            idempotencyKey,
            ...(days === undefined ? {} : { validUntil: now() + days * dayMs }),
          },
          parts,
        )
        emit({ name: 'credential', data: stored.document })
        const { validUntil, issuer } = stored.document
        const valid = validUntil === undefined ? 'without an end' : `until ${String(validUntil)}`
        return { id: stored.id, type: stored.type, subject, issuer: String(issuer), valid }
      } catch (error) {
        throw asToolFailure(error)
      }
    },
  })
