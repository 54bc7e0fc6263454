import type { GuardedFetch } from '@sibyl/plugin/outbound'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { multibaseOf, openKey } from '../proofs/public-keys.ts'
import type { ResolveDid } from './find-key.ts'

const id = z.string().max(2_000)

const method = z.looseObject({
  id,
  controller: id,
  publicKeyMultibase: z.string().max(1_000).optional(),
  publicKeyJwk: z.unknown().optional(),
})

const webDocument = z.looseObject({
  id,
  verificationMethod: z.array(method).max(100).default([]),
  assertionMethod: z
    .array(z.union([id, method]))
    .max(100)
    .default([]),
})

const limits = { timeLimitMs: 5_000, maxBytes: 100_000, maxRedirects: 0 } as const

/** Resolves a did:web of others over https, at public addresses only. Leaves keys out that are not supported. */
export const createResolveWeb =
  (fetch: GuardedFetch): ResolveDid =>
  async did => {
    const url = documentUrl(did)
    if (url === undefined) return { fault: `${did} is not a valid did:web` }
    const unavailable = { fault: `the document of ${did} is unavailable at ${url}` }
    const headers = { accept: 'application/did+json, application/did, application/json' }
    const answer = await fetch(url, { headers, ...limits }).catch(() => undefined)
    if (answer?.status !== 200 || !answer.isComplete) return unavailable
    const read = webDocument.safeParse(parseJson(Buffer.from(answer.body).toString('utf8')))
    if (!read.success || read.data.id !== did) return { fault: `${url} does not have the document of ${did}` }
    const { verificationMethod, assertionMethod } = read.data
    const whole = (given: string) => (given.startsWith('#') ? did + given : given)
    const embedded = assertionMethod.filter(one => typeof one !== 'string')
    return {
      document: {
        '@context': [],
        id: did,
        verificationMethod: [...verificationMethod, ...embedded].flatMap(one => {
          const publicKeyMultibase = one.publicKeyMultibase ?? multibaseOf(one.publicKeyJwk)
          if (publicKeyMultibase === undefined || !openKey(publicKeyMultibase)) return []
          return { id: whole(one.id), type: 'Multikey' as const, controller: one.controller, publicKeyMultibase }
        }),
        assertionMethod: assertionMethod.map(one => whole(typeof one === 'string' ? one : one.id)),
      },
    }
  }

/** Returns the URL of the document of a did:web: `did:web:a.example:x` is at `https://a.example/x/did.json`. */
const documentUrl = (did: string): string | undefined => {
  const [host = '', ...path] = did.slice('did:web:'.length).split(':')
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*(%3A\d{1,5})?$/i.test(host)) return undefined
  if (!path.every(segment => /^(?!\.+$)([\w.~-]|%[\dA-F]{2})+$/i.test(segment))) return undefined
  return `https://${[host.replace(/%3A/i, ':'), ...(path.length > 0 ? path : ['.well-known'])].join('/')}/did.json`
}
