import { type KeyObject, verify } from 'node:crypto'
import { parseJson } from '@sibyl/protocol'
import canonicalize from 'canonicalize'
import { z } from 'zod'
import { canonicalCard } from '../card/canonical-card.ts'
import type { AgentEntry } from './agent-list.ts'
import type { RemoteCard } from './remote-card.ts'
import { didDocument, keyInDocument, keyInSet, keyOfDid, keySet } from './signing-keys.ts'

/** Reads a JSON document of the agent; undefined if it does not exist. */
export type ReadDocument = (url: URL) => Promise<unknown>

const protectedHeader = z.object({
  alg: z.enum(['EdDSA', 'Ed25519', 'ES256', 'RS256']),
  kid: z.string().min(1).max(2_000),
  jku: z.string().max(2_000).optional(),
  crit: z.undefined().optional(),
})

type Header = z.output<typeof protectedHeader>

/** Most signatures of a card that are checked. */
const maxChecked = 3

/**
 * Returns the key of the first signature of a card that the operator trusts: by a key that the host of the card publishes, in its
 * DID document or as its JSON Web Key Set, or by a key of the DID that the operator named.
 *
 * @param raw The card as it was received.
 * @param card The same card, with the members that A2A defines.
 */
export const trustedKey = async (
  raw: Readonly<Record<string, unknown>>,
  card: RemoteCard,
  entry: Pick<AgentEntry, 'card' | 'trust'>,
  readDocument: ReadDocument,
): Promise<KeyObject | undefined> => {
  for (const { protected: header, signature } of (card.signatures ?? []).slice(0, maxChecked)) {
    const read = headerOf(header)
    const key = read && (await keyOf(read, entry, readDocument))
    if (!key) continue
    if (payloadsOf(raw, card).some(payload => isSigned(read, key, `${header}.${base64url(payload)}`, signature)))
      return key
  }
  return undefined
}

const headerOf = (text: string): Header | undefined =>
  protectedHeader.safeParse(parseJson(Buffer.from(text, 'base64url').toString())).data

/** Returns the texts that a signature may cover: without members that encoders leave out, or the card as it is. */
const payloadsOf = (raw: Readonly<Record<string, unknown>>, card: RemoteCard): string[] => {
  const { signatures: _, ...unsigned } = raw
  return [canonicalCard(card), canonicalize(unsigned) ?? '']
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

const isSigned = ({ alg }: Header, key: KeyObject, input: string, signature: string): boolean => {
  const data = Buffer.from(input)
  const bytes = Buffer.from(signature, 'base64url')
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (alg === 'ES256') {
    const fits = type === 'ec' && details?.namedCurve === 'prime256v1'
    return fits && verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, bytes)
  }
  if (alg === 'RS256')
    return type === 'rsa' && (details?.modulusLength ?? 0) >= 2_048 && verify('sha256', data, key, bytes)
  return type === 'ed25519' && verify(null, data, key, bytes)
}

const keyOf = async (
  { kid, jku }: Header,
  { card, trust }: Pick<AgentEntry, 'card' | 'trust'>,
  readDocument: ReadDocument,
): Promise<KeyObject | undefined> => {
  const pinned = typeof trust === 'object' ? trust.did : undefined
  if (pinned?.startsWith('did:key:')) return keyOfDid(pinned)
  const [did = ''] = kid.split('#')
  if (pinned !== undefined && did !== pinned) return undefined
  if (did.startsWith('did:web:')) {
    const url = documentUrl(did, card)
    if (!url || (pinned === undefined && url.host !== card.host)) return undefined
    const { data } = didDocument.safeParse(await readDocument(url))
    return data?.id === did ? keyInDocument(data, kid) : undefined
  }
  if (jku === undefined || !URL.canParse(jku) || new URL(jku).origin !== card.origin) return undefined
  const { data } = keySet.safeParse(await readDocument(new URL(jku)))
  return data && keyInSet(data, kid)
}

/** Returns the address of the document of a did:web: by https, or as the operator named the card of the same host. */
const documentUrl = (did: string, card: URL): URL | undefined => {
  const [host = '', ...path] = did.slice('did:web:'.length).split(':').map(decodeURIComponent)
  const folder = path.length === 0 ? '.well-known' : path.map(encodeURIComponent).join('/')
  const scheme = host === card.host ? card.protocol : 'https:'
  const address = `${scheme}//${host}/${folder}/did.json`
  return URL.canParse(address) ? new URL(address) : undefined
}
