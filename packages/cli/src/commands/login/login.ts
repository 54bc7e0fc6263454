import { mintDelegation, publicKeyFromDid, type SigningKey } from '@sibyl/identity'
import { type Asker, mayAsk } from '../../ask/asker.ts'
import { clackAsker } from '../../ask/clack-asker.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { type KeptLogin, KeptLogins, loginAbilities } from '../../home/kept-logins.ts'
import { passphraseFlag, readPassphrase, unlockKey } from '../../keystore/read-passphrase.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { shortenDid } from '../../output/format.ts'
import { showFields } from '../../output/show-fields.ts'
import { stylesFor } from '../../output/styles.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { networkOf } from '../../registry/registry-address.ts'
import { projectHere, withRegistry } from '../../registry/with-registry.ts'
import { requestSignature } from '../../signing/request-signature.ts'
import type { SignedDelegation, SigningRequest } from '../../signing/signing-session.ts'
import type { LoginOptions } from './login-command.ts'

/** Runs `sibyl login`: a phone or an encrypted key signs a delegation to the key of this computer, which is stored. */
export const login = async (options: LoginOptions, io: CommandIo): Promise<void> => {
  const { json = false } = options
  const asker = mayAsk(io, { json }) ? clackAsker(io) : undefined
  check(options, io)
  const folder = homeFolder(io.env)
  const { key } = await openDeveloperKey(folder)
  const unlocked = await unlock(options, io, asker)
  const { url, request } = await findRegistry(options, io, key.did)
  const place = { host: options.signingHost, url: options.signingUrl }
  const signed = unlocked ? await signWith(unlocked, request) : await requestSignature(request, io, asker, place)
  const kept: KeptLogin = {
    registry: request.registry.did,
    url,
    title: request.registry.title,
    controller: signed.did,
    ...(options.key === undefined ? { method: 'qr' } : { method: 'key', keyName: options.key }),
    audience: key.did,
    abilities: [...loginAbilities],
    delegation: signed.delegation,
    expiresAt: new Date(signed.expiresAt * 1000).toISOString(),
  }
  await new KeptLogins(folder).keep(kept)
  show(kept, json, io)
}

/** Validates the options before any question. */
const check = ({ key, qr, controller, signingHost, signingUrl }: LoginOptions, { stderr }: CommandIo): void => {
  if (controller !== undefined && publicKeyFromDid(controller) === undefined) {
    throw cliErrors.usage_invalid(
      '--controller is not a did:key of an Ed25519 key.',
      'Pass the complete DID: did:key:z6Mk…',
    )
  }
  if (key !== undefined && (qr || signingHost !== undefined || signingUrl !== undefined)) {
    throw cliErrors.usage_invalid(
      '--key signs without a phone.',
      'Leave out --qr, --signing-host and --signing-url, or --key.',
    )
  }
  if (key === undefined && !qr && !stderr.isTTY) {
    throw cliErrors.usage_invalid(
      'A QR code requires a terminal.',
      `Sign with a key: sibyl login --key <name> ${passphraseFlag}; or wait for a phone anyway: --qr`,
    )
  }
}

/** Reads the identity of the registry and disconnects: it need not run while the user signs. */
const findRegistry = async (
  { registryUrl, hours = 12, controller }: LoginOptions,
  io: CommandIo,
  audience: string,
): Promise<{ readonly url: string; readonly request: SigningRequest }> => {
  const project = await projectHere(io)
  const network = registryUrl === undefined ? networkOf(undefined, io, project) : 'devnet'
  if (network !== 'devnet') {
    throw cliErrors.usage_invalid(
      `On ${network} the chain requires the signature of an account; a login is not enough.`,
      'Sign with the mnemonic: ORACLE_MNEMONIC of the project, or SIBYL_MNEMONIC.',
    )
  }
  const {
    did = '',
    url,
    title,
  } = await withRegistry({ network, ...(registryUrl !== undefined && { registryUrl }) }, io, async ({ node }) => node)
  const about = project?.setting('ORACLE_NAME')
  const request = {
    registry: { title, did },
    audience,
    abilities: loginAbilities,
    lifetimeSeconds: hours * 3_600,
    ...(about === undefined ? {} : { about }),
    ...(controller === undefined ? {} : { expectedDid: controller }),
  }
  return { url, request }
}

/** Decrypts the key that signs instead of a phone; undefined with a phone. */
const unlock = async (
  { key: name, passphraseFile, controller }: LoginOptions,
  io: CommandIo,
  asker: Asker | undefined,
): Promise<SigningKey | undefined> => {
  if (name === undefined) return undefined
  const given = passphraseFile === undefined ? {} : { passphraseFile }
  const passphrase = await readPassphrase(given, io, asker, `Passphrase of the key ${name}`)
  if (passphrase === undefined) {
    throw cliErrors.usage_invalid(
      `The passphrase is missing: ${passphraseFlag}`,
      `Such as: sibyl login --key ${name} --passphrase-file <file>`,
    )
  }
  const key = await unlockKey(name, passphrase, io)
  if (controller === undefined || controller === key.did) return key
  const message = `The key ${name} is ${shortenDid(key.did)}, but ${shortenDid(controller)} has to sign.`
  throw cliErrors.signing_wrong_device(message, 'sibyl keys show lists the keys with their DIDs.')
}

const signWith = async (key: SigningKey, request: SigningRequest): Promise<SignedDelegation> => {
  const { registry, audience, abilities, lifetimeSeconds } = request
  const now = Math.floor(Date.now() / 1000) * 1000
  const resource = `oracle:${registry.did}`
  const delegation = await mintDelegation({ key, audience, resource, abilities, lifetimeSeconds, now: () => now })
  return { did: key.did, delegation, expiresAt: now / 1000 + lifetimeSeconds }
}

const show = (kept: KeptLogin, json: boolean, io: CommandIo): void => {
  if (json) {
    const { delegation: _, ...facts } = kept
    writeJson(io, facts)
    return
  }
  const { bold } = stylesFor(io.stdout, io.env)
  showFields(io, [
    ['Signed in', bold(`at ${cleanLine(kept.title)}`)],
    ['as', kept.controller],
    ['until', kept.expiresAt],
    ['ends with', 'sibyl logout'],
  ])
}
