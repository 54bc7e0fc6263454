import { defineTool } from '@sibyl/plugin'
import { z } from 'zod'
import type { CredentialRights } from '../access/credential-rights.ts'
import { statusReason } from '../credential-records.ts'
import { credentialsErrors } from '../credentials-errors.ts'
import { parseCredentialId } from '../issuing/credential-id.ts'
import { type StatusParts, writeStatus } from '../routes/status-routes.ts'
import { asToolFailure } from './as-tool-failure.ts'
import { asksWhoMay } from './issue-credential-tool.ts'

const input = z.object({
  id: z.string().min(1).max(100).describe('The id of the credential: urn:uuid:…'),
  reason: statusReason.describe('Why it is revoked'),
})

/** `revoke_credential`: the same as `POST /credentials/:id/revoke`, once the person has approved it. */
export const revokeCredentialTool = (parts: StatusParts, rights: CredentialRights) =>
  defineTool({
    description: 'Revokes a credential that this oracle issued, for ever.',
    effect: 'write',
    ability: 'credentials/revoke',
    approval: asksWhoMay(rights, 'credentials/revoke'),
    describe: ({ id, reason }) => `Revoke the credential ${id} for ever, because: ${reason}`,
    input,
    output: z.object({ id: z.string(), status: z.literal('revoked') }),
    async execute({ id: text, reason }, { turn }) {
      try {
        const actor = rights.demand(turn.actor, 'credentials/revoke')
        const id = parseCredentialId(text)
        if (id === undefined) throw credentialsErrors.credential_not_found()
        await writeStatus({ id, kind: 'revoked', by: rights.nameOf(actor), reason, at: parts.now() }, parts)
        return { id, status: 'revoked' as const }
      } catch (error) {
        throw asToolFailure(error)
      }
    },
  })
