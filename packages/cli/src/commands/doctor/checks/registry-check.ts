import { z } from 'zod'
import { cleanLine } from '../../../output/clean-text.ts'
import { capitalized, shortenDid } from '../../../output/format.ts'
import { findDevnet, isFirstDevnetAddress } from '../../../registry/devnet-node.ts'
import { discoverOracle } from '../../../registry/discover-oracle.ts'
import { planRegistry } from '../../../registry/plan-registry.ts'
import { networkOf } from '../../../registry/registry-address.ts'
import { devnetTitle, type RegistryPlace } from '../../../registry/registry-node.ts'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'

const resolution = z.object({
  didDocument: z.object({
    id: z.string(),
    service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })).default([]),
  }),
  didDocumentMetadata: z.object({ deactivated: z.boolean().optional() }).optional(),
})
const chainStatus = z.object({ result: z.object({ node_info: z.object({ network: z.string() }) }) })

/**
 * Checks whether the registry lists the oracle at the address it listens on: the ports 3000 and 4000 of the
 * specification.
 */
export const checkRegistry = async (context: DoctorContext): Promise<Finding[]> => {
  const { project, io, setting } = context
  if (!project) return []
  const did = setting('ORACLE_ENTITY_DID')
  const place = await planRegistry(networkOf(undefined, io, project), io, { project })
  if (place.network !== 'devnet') return checkChain(place, context)
  if (did === undefined) {
    const message = 'The oracle is not registered, so registries do not list it.'
    const fix = 'Chat works without. To register it: sibyl create-entity --oracle'
    return [findingsOf('Identity', 'entity').warn(message, fix)]
  }
  if (!(await isDevnetHere(place, context))) return checkEntity(did, place, context)
  const url = await findDevnet(io)
  if (url !== undefined) return checkEntity(did, { ...place, title: devnetTitle, url }, context)
  const message = `${capitalized(devnetTitle)} is not running, so its entities cannot be checked.`
  return [findingsOf('Identity', 'entity').warn(message, 'Start it: sibyl devnet')]
}

/**
 * Returns whether a place is the devnet of this computer, including a REGISTRY_URL with the port of its first start.
 */
const isDevnetHere = async ({ title, url }: RegistryPlace, { io, fetch }: DoctorContext): Promise<boolean> =>
  title === devnetTitle ||
  ((await isFirstDevnetAddress(url, io)) && (await discoverOracle(url, { fetch })).kind !== 'oracle')

const checkEntity = async (did: string, place: RegistryPlace, context: DoctorContext): Promise<Finding[]> => {
  const { ok, warn, fail } = findingsOf('Identity', 'entity')
  const reply = await context.send(`${place.url.replace(/\/+$/, '')}/1.0/identifiers/${encodeURIComponent(did)}`)
  if (reply.kind === 'silent') {
    const message = `${capitalized(place.title)} does not respond (${reply.reason}), so its entities cannot be checked.`
    const devnet = await findDevnet(context.io)
    const fix = `Set REGISTRY_URL=${devnet}, or remove it: the devnet on this computer runs there.`
    return [warn(message, devnet === undefined ? 'Check REGISTRY_URL.' : fix)]
  }
  const found = resolution.safeParse(reply.json).data
  const name = shortenDid(did)
  if (reply.status === 404) {
    return [
      fail(
        `${capitalized(place.title)} knows no ${name}.`,
        'Check REGISTRY_URL and entityDid: the entity may be in another registry.',
      ),
    ]
  }
  if (reply.status !== 200 || !found || found.didDocument.id !== did) {
    const fix = 'Check REGISTRY_URL: it must be the address of a registry.'
    return [warn(`The server at ${place.url} does not resolve ${name} (status ${reply.status}).`, fix)]
  }
  if (found.didDocumentMetadata?.deactivated) {
    return [fail(`${name} is deactivated in ${place.title}.`, 'Register the oracle again.')]
  }
  const api = found.didDocument.service.find(({ id }) => id.endsWith('#api'))?.serviceEndpoint
  return [ok(`its entity resolves at ${place.title}`), ...(await compareUrls(api, context))]
}

const compareUrls = async (api: unknown, { inspection, setting }: DoctorContext): Promise<Finding[]> => {
  const { ok, warn } = findingsOf('Address', 'registered-url')
  const oracle = (await inspection)?.oracle
  const port = oracle?.port ?? Number(setting('PORT') ?? 3000)
  const own = withoutSlash(oracle?.publicUrl ?? setting('PUBLIC_URL') ?? `http://localhost:${port}`)
  if (typeof api !== 'string') {
    return [warn('The registry does not list the address of the oracle.', 'Run sibyl update-oracle-api-url.')]
  }
  const listed = cleanLine(withoutSlash(api))
  if (listed === own) return [ok(`the registry lists it at ${listed}, its address`)]
  const [, listedPort] = /^http:\/\/localhost:(\d+)$/.exec(listed) ?? []
  const here = listedPort !== undefined && own === `http://localhost:${port}`
  const fix = here
    ? `PORT=${listedPort} in .env, or: sibyl update-oracle-api-url --port ${port}`
    : `PUBLIC_URL=${listed} in .env, or: sibyl update-oracle-api-url ${own}`
  return [warn(`The registry lists your oracle at ${listed}, but it listens on ${here ? port : own}.`, fix)]
}

const checkChain = async ({ network, url }: RegistryPlace, { send }: DoctorContext): Promise<Finding[]> => {
  const { ok, warn, fail } = findingsOf('Identity', 'chain')
  const reply = await send(`${url.replace(/\/+$/, '')}/status`)
  const status = reply.kind === 'reply' ? chainStatus.safeParse(reply.json).data : undefined
  if (!status) {
    const reason = reply.kind === 'silent' ? reply.reason : `status ${reply.status}`
    return [warn(`No node of the ${network} responds at CHAIN_RPC_URL (${reason}).`, 'Check CHAIN_RPC_URL.')]
  }
  const chain = cleanLine(status.result.node_info.network)
  if (chain.startsWith('ixo-') === (network === 'mainnet')) return [ok(`a node of the ${network} responds (${chain})`)]
  return [
    fail(`The node at CHAIN_RPC_URL belongs to ${chain}, not to the ${network}.`, 'Fix NETWORK or CHAIN_RPC_URL.'),
  ]
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')
