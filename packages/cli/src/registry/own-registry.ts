import { signingKeyFromMnemonic } from '@sibyl/identity'
import { mnemonicIn } from '../keystore/given-secret.ts'
import { oracleUrl } from '../oracle/oracle-url.ts'
import type { CommandIo } from '../process/command-io.ts'
import { discoverOracle } from './discover-oracle.ts'
import { networkOf } from './registry-address.ts'
import type { RegistryFlags } from './registry-flags.ts'
import { projectHere } from './with-registry.ts'

const timeLimitMs = 3_000

/**
 * Returns the flags of a command with the oracle of the current project as its registry, if that oracle runs and serves
 * entities, and neither an option nor REGISTRY_URL names another registry; otherwise the flags unchanged.
 *
 * @param entityDid An existing entity, which must be one of that oracle.
 */
export const ownRegistryFirst = async <Flags extends RegistryFlags>(
  flags: Flags,
  io: CommandIo,
  entityDid?: string,
): Promise<Flags> => {
  const project = flags.registryUrl === undefined ? await projectHere(io) : undefined
  if (project === undefined || networkOf(flags.network, io, project) !== 'devnet') return flags
  if (project.setting('REGISTRY_URL') !== undefined) return flags
  const registryUrl = await oracleUrl({}, { ...io, env: { ...io.env, SIBYL_URL: undefined } })
  const found = await discoverOracle(registryUrl, { timeLimitMs })
  if (found.kind !== 'oracle') return flags
  const { did, publicDid } = found.record
  if (entityDid !== undefined && !entityDid.toLowerCase().startsWith(`${publicDid}:`.toLowerCase())) return flags
  const words = project.setting('ORACLE_MNEMONIC')
  // The port may be in use by another oracle.
  if (words === undefined) return flags
  const { did: ownDid } = await signingKeyFromMnemonic(mnemonicIn(words, 'ORACLE_MNEMONIC'))
  if (ownDid !== did) return flags
  return (await servesEntities(registryUrl)) ? { ...flags, registryUrl } : flags
}

const servesEntities = async (url: string): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(timeLimitMs)
    const response = await fetch(`${url}/v1/entities`, { redirect: 'manual', signal })
    await response.body?.cancel()
    return response.status === 401 || response.ok
  } catch {
    return false
  }
}
