// UCAN verifications a second on one core, beside the bare Ed25519 verification and beside ucans 0.10.0.
// Run: node --conditions=sibyl-source benchmarks/ucan-verify.ts
import { createPublicKey, verify as ed25519Verify } from 'node:crypto'
import { createRequire } from 'node:module'
import {
  createSigningKey,
  createVerifier,
  mintDelegation,
  mintInvocation,
  publicKeyFromDid,
  type SigningKey,
} from '@sibyl/identity'

const ROUNDS = 5
const ROUND_MS = 400

// The ESM build of ucans 0.10.0 cannot be imported; it is a development dependency of the package measured here.
const ucans = createRequire(new URL('../packages/identity/package.json', import.meta.url))('ucans')

const oracle = createSigningKey()
const manager = createSigningKey()
const user = createSigningKey()
const resource = `oracle:${oracle.did}`
const abilities = ['chat/send']

const single = await mintInvocation({ key: user, audience: oracle.did, resource, abilities })
const toManager = await mintDelegation({ key: oracle, audience: manager.did, resource, abilities: ['*'] })
const toUser = await mintDelegation({ key: manager, audience: user.did, resource, abilities, proofs: [toManager] })
const chain = await mintInvocation({ key: user, audience: oracle.did, resource, abilities, proofs: [toUser] })

const verifier = createVerifier({
  audience: [oracle.did],
  rootIssuers: () => ({ access: 'delegated', roots: [oracle.did, user.did] }),
})
const ours = (token: string) => async () => (await verifier.verify(token, { resource, ability: 'chat/send' })).ok

const theirs = (token: string, root: SigningKey) => async () => {
  const capability = ucans.capability.parse({ with: resource, can: 'chat/send' })
  const options = { audience: oracle.did, requiredCapabilities: [{ capability, rootIssuer: root.did }] }
  return (await ucans.verify(token, options)).ok as boolean
}

/** One signature verification, with the key already opened and the bytes already decoded. */
function bare(token: string): () => Promise<boolean> {
  const x = Buffer.from(publicKeyFromDid(user.did)!).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const dot = token.lastIndexOf('.')
  const data = Buffer.from(token.slice(0, dot))
  const signature = Buffer.from(token.slice(dot + 1), 'base64url')
  return async () => ed25519Verify(null, data, key, signature)
}

const contestants = {
  'node:crypto Ed25519, one signature': bare(single),
  'Sibyl, one signature': ours(single),
  'Sibyl, chain of 2 hops (3 signatures)': ours(chain),
  'ucans 0.10.0, one signature': theirs(single, user),
  'ucans 0.10.0, chain of 2 hops': theirs(chain, oracle),
}

const rates = new Map<string, number[]>(Object.keys(contestants).map(name => [name, []]))
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, verify] of Object.entries(contestants)) {
    const rate = await perSecond(verify)
    if (round > 0) rates.get(name)!.push(rate)
  }
}

const floor = median(rates.get('node:crypto Ed25519, one signature')!)
console.log(`node ${process.version}, median of ${ROUNDS} interleaved rounds\n`)
console.log('| verification | a second | of bare Ed25519 |')
console.log('|---|---|---|')
for (const [name, measured] of rates) {
  console.log(`| ${name} | ${Math.round(median(measured))} | ${(median(measured) / floor).toFixed(3)} |`)
}

async function perSecond(verify: () => Promise<boolean>): Promise<number> {
  const start = performance.now()
  let count = 0
  while (performance.now() - start < ROUND_MS) {
    if (!(await verify())) throw new Error('A valid token was refused: nothing was measured.')
    count++
  }
  return (count / (performance.now() - start)) * 1000
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
