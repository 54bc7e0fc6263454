import { impersonationAbility, mintInvocation } from '@sibyl/identity'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandError } from '../errors/command-error.ts'
import { readCapped } from '../http/read-capped.ts'
import { capitalized } from '../output/format.ts'
import { isImpersonating } from './controller.ts'
import type { OpenedRegistry } from './opened-registry.ts'
import { describePlace } from './registry-node.ts'

interface OracleSearch {
  readonly opened: Pick<OpenedRegistry, 'node' | 'controller'>
  readonly oracleDid: string
}

const page = z.object({
  entities: z.array(z.object({ did: z.string().max(500), alsoKnownAs: z.array(z.string()) })),
  next: z.string().optional(),
})

const maxPageBytes = 4_000_000
const maxPages = 20
const timeLimitMs = 10_000

/**
 * Finds the entity of an oracle among those of a controller: one that was created under an idempotency key that the
 * registry may have forgotten. Not used on a chain, where the signed transaction is stored.
 *
 * @returns its DID; undefined if it does not exist
 * @throws `registry_unavailable` when the registry does not list them
 */
export const findOracle = async ({ opened, oracleDid }: OracleSearch): Promise<string | undefined> => {
  const { node, controller } = opened
  if (node.did === undefined) return undefined
  let cursor: string | undefined
  for (let number = 0; number < maxPages; number += 1) {
    const filters = { type: 'Oracle', status: 'active', controller: controller.did, 'property.did': oracleDid }
    const found = await readPage(
      opened,
      new URLSearchParams({ ...filters, ...(cursor === undefined ? {} : { cursor }) }),
    )
    const own = found.entities.find(({ alsoKnownAs }) => alsoKnownAs.includes(oracleDid))
    if (own || found.next === undefined) return own?.did
    cursor = found.next
  }
  throw listError(opened, `it has more than ${maxPages} pages`)
}

const readPage = async (opened: OracleSearch['opened'], query: URLSearchParams): Promise<z.infer<typeof page>> => {
  const { node, controller } = opened
  const { signer, proofs } = controller
  const audience = node.did ?? ''
  const abilities = ['entities/read', ...(isImpersonating(controller) ? [impersonationAbility] : [])]
  const grant = { resource: `oracle:${audience}`, abilities }
  const token = await mintInvocation({ key: signer, audience, proofs, lifetimeSeconds: 60, ...grant })
  const signal = AbortSignal.timeout(timeLimitMs)
  try {
    const headers = { authorization: `Bearer ${token}` }
    const response = await node.fetch(`${node.url}/v1/entities?${query}`, { headers, redirect: 'manual', signal })
    const text = await readCapped(response, maxPageBytes)
    const read = page.safeParse(response.ok && text !== undefined ? parseJson(text) : undefined)
    if (read.success) return read.data
    throw listError(opened, `HTTP ${response.status}`)
  } catch (cause) {
    if (cliErrors.registry_unavailable.is(cause)) throw cause
    throw listError(opened, signal.aborted ? `no response within ${timeLimitMs / 1_000} s` : 'no answer', { cause })
  }
}

const listError = ({ node }: OracleSearch['opened'], reason: string, options?: ErrorOptions): CommandError => {
  const where = capitalized(describePlace(node))
  const message = `${where} does not list your registered oracles (${reason}).`
  return cliErrors.registry_unavailable(message, 'Run the command again when it does.', options)
}
