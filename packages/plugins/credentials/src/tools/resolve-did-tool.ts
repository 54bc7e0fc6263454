import { defineTool } from '@sibyl/plugin'
import { z } from 'zod'
import type { ResolveDid } from '../verifying/resolve-did.ts'

const output = z.object({ found: z.boolean(), summary: z.string(), document: z.looseObject({}).optional() })

/** `resolve_did`: the document of a DID that can be resolved without a network. */
export const resolveDidTool = (resolveDid: ResolveDid) =>
  defineTool({
    description: 'Resolves a DID of a key, of this oracle or of one of its entities, to its DID document.',
    effect: 'read',
    input: z.object({ did: z.string().min(1).max(2_000).describe('The DID: did:key:… or did:web:…') }),
    output,
    async execute({ did }) {
      const resolved = await resolveDid(did)
      if ('fault' in resolved) return { found: false, summary: `${did} is not resolved: ${resolved.fault}` }
      const { document } = resolved
      const keys = document.verificationMethod?.map(({ publicKeyMultibase }) => publicKeyMultibase) ?? []
      const services = document.service?.map(({ type, serviceEndpoint }) => `${type} at ${serviceEndpoint}`) ?? []
      const summary = [
        `${document.id} is resolved.`,
        `Keys: ${keys.join(', ') || 'none'}.`,
        ...(services.length > 0 ? [`Services: ${services.join(', ')}.`] : []),
      ].join(' ')
      return { found: true, summary, document: { ...document } }
    },
  })
