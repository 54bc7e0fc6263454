import { parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import { z } from 'zod'
import { isLoopback } from '../../../home/known-oracles.ts'
import { cleanLine } from '../../../output/clean-text.ts'
import { shortenDid } from '../../../output/format.ts'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'

const didDocument = z.object({
  id: z.string(),
  verificationMethod: z.array(
    z.object({ controller: z.string().optional(), publicKeyMultibase: z.string().optional() }),
  ),
})

/** Returns the did:key of the oracle; undefined if its mnemonic is missing or invalid. */
export const oracleDid = async ({ setting }: DoctorContext): Promise<string | undefined> => {
  const parsed = await parseMnemonic(setting('ORACLE_MNEMONIC') ?? '')
  return parsed.ok ? (await signingKeyFromMnemonic(parsed.mnemonic)).did : undefined
}

/** Checks the signing key, and the did:web of the oracle if it is public. */
export const checkIdentity = async (context: DoctorContext): Promise<Finding[]> => {
  if (!context.project) return []
  const { ok, warn, fail } = findingsOf('Identity', 'mnemonic')
  const words = context.setting('ORACLE_MNEMONIC')
  if (words === undefined) {
    const message = 'ORACLE_MNEMONIC is blank: every authenticated request is rejected.'
    return [warn(message, 'To create one: sibyl keys rotate --oracle')]
  }
  const parsed = await parseMnemonic(words)
  if (!parsed.ok) {
    // The plugins' check shows what prevents the start.
    if ((await context.inspection)?.problems.some(({ variable }) => variable === 'ORACLE_MNEMONIC')) return []
    return [
      fail(`ORACLE_MNEMONIC is not a mnemonic: ${cleanLine(parsed.message)}`, 'Restore the correct mnemonic in .env.'),
    ]
  }
  const { did } = await signingKeyFromMnemonic(parsed.mnemonic)
  return [ok(`signs as ${shortenDid(did)}`), ...(await checkDidWeb(did, context))]
}

const checkDidWeb = async (did: string, { inspection, send }: DoctorContext): Promise<Finding[]> => {
  const oracle = (await inspection)?.oracle
  if (!oracle) return []
  const { ok, warn, fail } = findingsOf('Identity', 'did-web')
  const { publicUrl } = oracle
  const publicDid = oracle.publicDid ?? ''
  const reply = await send(`${publicUrl}/.well-known/did.json`)
  if (reply.kind === 'silent') {
    // No response is expected on this computer while the oracle does not run.
    if (isLoopback(publicUrl)) return [ok(`${publicDid} resolves while the oracle runs`)]
    const fix = 'Start the oracle there, or set PUBLIC_URL to its address.'
    return [warn(`${publicDid} does not resolve: no response from ${publicUrl} (${reply.reason}).`, fix)]
  }
  const document = didDocument.safeParse(reply.json).data
  if (reply.status !== 200 || document?.id !== publicDid) {
    return [
      fail(
        `${publicUrl} responds, but not with the document of ${publicDid}.`,
        'Another program runs there: set PUBLIC_URL or PORT to the oracle.',
      ),
    ]
  }
  const key = did.replace('did:key:', '')
  if (document.verificationMethod.some(({ publicKeyMultibase }) => publicKeyMultibase === key)) {
    return [ok(`${publicDid} resolves to this key`)]
  }
  return [
    fail(`The document of ${publicDid} has another key than ORACLE_MNEMONIC.`, 'Restart the oracle at that address.'),
  ]
}
