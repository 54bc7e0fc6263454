import { defineTool, holdsAbility, personalAbility, ToolFailure } from '@sibyl/plugin'
import { z } from 'zod'
import type { CredentialRights } from '../access/credential-rights.ts'
import {
  credentialMembers,
  maxDocumentCharacters,
  type ReadDocument,
  readDocument,
} from '../documents/read-document.ts'
import { parseCredentialId } from '../issuing/credential-id.ts'
import type { CredentialStore } from '../storage/credential-store.ts'
import type { CredentialVerifier } from '../verifying/create-verifier.ts'
import { type Verdict, verdict } from '../verifying/verdict.ts'

const input = z.object({
  credential: z
    .string()
    .min(1)
    .max(maxDocumentCharacters)
    .describe('The credential as JSON, or the id of one that this oracle issued: urn:uuid:…'),
})

/** `verify_credential`: the same as `POST /credentials/verify`, and by id for credentials of this oracle. */
export const verifyCredentialTool = (verifier: CredentialVerifier, store: CredentialStore, rights: CredentialRights) =>
  defineTool({
    description: 'Verifies a credential: who issued it, whether it was altered, has expired, or was revoked.',
    effect: 'read',
    input,
    output: verdict.extend({ summary: z.string() }),
    async execute({ credential }, { turn }) {
      const id = parseCredentialId(credential)
      if (id === undefined) return summed(await verifier.verify(readDocument(credential, ...credentialMembers)))
      const stored = await store.find(id)
      const { actor } = turn
      const mayReadOwn = holdsAbility(actor.scopes, ['credentials/read', personalAbility])
      const isAllowed =
        stored &&
        (rights.mayAlways(actor, 'credentials/read') || (mayReadOwn && (await rights.isHolder(actor, stored.subject))))
      if (!stored || !isAllowed) {
        throw new ToolFailure('No credential of that id was issued here to you. Give the credential itself, as JSON.')
      }
      if (stored.erasedAt !== undefined) {
        throw new ToolFailure(
          'What that credential said was erased here with its person. Give the credential itself, as JSON.',
        )
      }
      const read: ReadDocument = { ok: true, document: stored.document }
      return summed(await verifier.verify(read))
    },
  })

const summed = (judged: Verdict): Verdict & { summary: string } => {
  const bad = judged.checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)
  return {
    ...judged,
    summary: judged.verified ? 'The credential is good.' : `The credential is not good. ${bad.join('; ')}.`,
  }
}
