import { type SigningKey, signingKeyFromMnemonic } from '@sibyl/identity'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandError } from '../errors/command-error.ts'
import { openDeveloperKey } from '../home/developer-key.ts'
import { homeFolder } from '../home/home-folder.ts'
import { KeptDelegations } from '../home/kept-delegations.ts'
import { actsAsController, isCurrentLogin, type KeptLogin, KeptLogins } from '../home/kept-logins.ts'
import { mnemonicIn } from '../keystore/given-secret.ts'
import type { CommandIo } from '../process/command-io.ts'
import type { Project } from '../project/project.ts'
import type { Controller } from './controller.ts'
import { settingOf } from './registry-address.ts'
import { isSameController, type RegistryNode } from './registry-node.ts'

type ControlledPlace = Pick<RegistryNode, 'network' | 'title' | 'url'> &
  Partial<Pick<RegistryNode, 'did' | 'publicDid' | 'access'>>

/**
 * Finds the signing method for a controller: ORACLE_MNEMONIC of the project or SIBYL_MNEMONIC, a valid login, or the
 * key of this computer.
 *
 * @param did The controller; undefined for the first available one.
 * @param place The registry; before its first request, logins are found by its address.
 * @throws `not_signed_in` when none of them belongs to this controller, or the login does not authorize this computer
 * to act as its controller
 */
export const controllerFor = async (
  did: string | undefined,
  place: ControlledPlace,
  project: Project | undefined,
  io: CommandIo,
): Promise<Controller> => {
  const byWords = await controllerByWords(io, project)
  const isChain = place.network !== 'devnet'
  // On a chain an account may be one controller of several: the chain decides.
  if (byWords && (isChain || did === undefined || isSameController(byWords.did, did, place))) return byWords
  if (isChain) throw wordsMissing(did, place)
  const folder = homeFolder(io.env)
  const { key } = await openDeveloperKey(folder)
  const logins = await loginsAt(place, key.did, folder)
  const login = logins.findLast(it => isCurrentLogin(it) && (did === undefined || it.controller === did))
  if (login && !actsAsController(login)) throw loginOutdated(login)
  if (login) return { did: login.controller, signer: key, proofs: [login.delegation] }
  if (did === undefined || did === key.did)
    return { did: key.did, signer: key, proofs: await proofsAt(place, key, folder) }
  throw notSignedIn(did, place, logins)
}

const controllerByWords = async (io: CommandIo, project: Project | undefined): Promise<Controller | undefined> => {
  const setting = settingOf(io, project)
  const variable = project && setting('ORACLE_MNEMONIC') !== undefined ? 'ORACLE_MNEMONIC' : 'SIBYL_MNEMONIC'
  const text = setting(variable)
  if (text === undefined) return undefined
  const mnemonic = mnemonicIn(text, variable)
  const signer = await signingKeyFromMnemonic(mnemonic)
  return { did: signer.did, signer, proofs: [], mnemonic }
}

const loginsAt = async (place: ControlledPlace, audience: string, folder: string): Promise<readonly KeptLogin[]> =>
  (await new KeptLogins(folder).list()).filter(
    it => it.audience === audience && (place.did === undefined ? it.url === place.url : it.registry === place.did),
  )

/** Returns the delegations of the registry operator to this user, if the registry requires them. */
const proofsAt = async (
  { did, access }: ControlledPlace,
  key: SigningKey,
  folder: string,
): Promise<readonly string[]> => {
  if (access !== 'delegated' || did === undefined) return []
  const delegation = await new KeptDelegations(folder).find(did, key.did)
  return delegation ? [delegation.token] : []
}

const wordsMissing = (did: string | undefined, { network }: ControlledPlace): CommandError => {
  const whose = did === undefined ? 'a controller' : `the controller ${did}`
  const message = `On ${network} the chain requires the signature of an account, and the mnemonic of ${whose} is not available here.`
  return cliErrors.not_signed_in(message, "Run it in the project's folder (ORACLE_MNEMONIC), or set SIBYL_MNEMONIC.")
}

const loginOutdated = ({ controller, title }: KeptLogin): CommandError => {
  const message = `Your login at ${title} does not allow this computer to act as ${controller}: an earlier version created it.`
  return cliErrors.not_signed_in(message, 'Sign in again with its phone or key: sibyl login')
}

const notSignedIn = (did: string, { title }: ControlledPlace, logins: readonly KeptLogin[]): CommandError => {
  const ended = logins.findLast(({ controller }) => controller === did)
  const message = ended
    ? `Your login as the controller ${did} at ${title} expired at ${ended.expiresAt}.`
    : `You are not signed in as the controller ${did} at ${title}.`
  return cliErrors.not_signed_in(message, 'Sign in with its phone or key: sibyl login')
}
