import { call, mustCall } from '../entities/call.ts'
import { type KeyDocument, linkVerifier, type ProofLink } from '../entities/verify-links.ts'
import type { KnownCredential } from './known-credential.ts'

/** Number of credentials to verify; an anonymous caller may verify 30 a minute. */
const maxVerified = 25

/** The chains of hashes that the oracle, or a stranger, does not find whole. @param dids of entities */
export const brokenChains = async (url: string, dids: readonly string[]): Promise<readonly string[]> => {
  const document = (await (await fetch(`${url}/.well-known/did.json`)).json()) as KeyDocument
  const firstFault = linkVerifier(document)
  const broken: string[] = []
  for (const did of dids) {
    const path = `/v1/entities/${encodeURIComponent(did)}/proof`
    const { links, verified } = await mustCall<{ links: ProofLink[]; verified: boolean }>(url, { path, by: 'oracle' })
    const fault = firstFault(links)
    if (!verified || links.length === 0 || fault !== undefined) broken.push(JSON.stringify({ did, verified, fault }))
  }
  return broken
}

/** Has some credentials verified, good ones and revoked ones: how many, and those with another verdict than they should have. */
export const judgeCredentials = async (
  url: string,
  known: readonly KnownCredential[],
): Promise<{ readonly verified: number; readonly wrong: readonly string[] }> => {
  const sample = known.filter(({ id }) => id !== undefined).slice(0, maxVerified)
  const wrong: string[] = []
  for (const { id, state } of sample) {
    const { credential } = await mustCall<{ credential: object }>(url, { path: `/credentials/${id}`, by: 'oracle' })
    const verdict = await call<{ verified: boolean }>(url, {
      ...{ method: 'POST', path: '/credentials/verify', by: 'oracle', json: credential as never },
    })
    if (verdict?.body.verified !== (state === 'active')) wrong.push(JSON.stringify({ id, state, verdict }))
  }
  return { verified: sample.length, wrong }
}
