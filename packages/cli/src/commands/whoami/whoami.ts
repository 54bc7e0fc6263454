import { parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import type { JsonOptions } from '../../command/common-options.ts'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { actsAsController, isCurrentLogin, type KeptLogin, KeptLogins } from '../../home/kept-logins.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { type Field, showFields } from '../../output/show-fields.ts'
import { stylesFor } from '../../output/styles.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { projectHere } from '../../registry/with-registry.ts'

interface OracleHere {
  readonly folder: string
  readonly name: string | undefined
  /** Undefined if the mnemonic is unset or invalid. */
  readonly did: string | undefined
  readonly entity: string | undefined
}

/**
 * Runs `sibyl whoami`: shows the DID of this computer, its logins, and the oracle of the folder.
 *
 * @throws `configuration_invalid` when one of their files is not usable
 */
export const whoami = async ({ json = false }: JsonOptions, io: CommandIo): Promise<void> => {
  const folder = homeFolder(io.env)
  const { key, path, made } = await openDeveloperKey(folder)
  if (made) io.stderr.write(`Created your key in ${path}\n`)
  const logins = await new KeptLogins(folder).list()
  const oracle = await oracleHere(io)
  if (json) {
    const shown = logins.map(login => {
      const { delegation: _, ...facts } = login
      return { ...facts, current: isUsable(login, key.did) }
    })
    writeJson(io, { did: key.did, path, logins: shown, ...(oracle ? { oracle } : {}) })
    return
  }
  const { bold } = stylesFor(io.stdout, io.env)
  showFields(io, [
    ['You', bold(key.did)],
    ['key', path],
    ...logins.flatMap(login => loginFields(login, key.did)),
    ...(logins.length === 0 ? [['login', 'none; sign in with your phone: sibyl login'] as const] : []),
    ...(oracle ? oracleFields(oracle) : []),
  ])
}

const oracleHere = async (io: CommandIo): Promise<OracleHere | undefined> => {
  const project = await projectHere(io)
  if (project === undefined) return undefined
  const parsed = parseMnemonic(project.setting('ORACLE_MNEMONIC') ?? '')
  return {
    folder: project.folder,
    name: project.setting('ORACLE_NAME'),
    did: parsed.ok ? (await signingKeyFromMnemonic(parsed.mnemonic)).did : undefined,
    entity: project.setting('ORACLE_ENTITY_DID'),
  }
}

/**
 * Checks that a login is not expired, has the current key of this computer as audience, and authorizes it to act as the
 * controller.
 */
const isUsable = (login: KeptLogin, did: string): boolean =>
  isCurrentLogin(login) && login.audience === did && actsAsController(login)

const loginFields = (login: KeptLogin, did: string): Field[] => {
  const { title, controller, method, keyName, expiresAt, audience } = login
  const by = method === 'qr' ? 'by phone' : `by the key ${cleanLine(keyName ?? '')}`
  const lost = audience === did ? '' : ', for a previous key of this computer'
  return [
    ['login', `at ${cleanLine(title)}, ${by}`],
    ['as', cleanLine(controller)],
    [isCurrentLogin(login) ? 'until' : 'ended', `${expiresAt}${lost}`],
    ...(actsAsController(login) ? [] : [['made by', 'from an earlier version; sign in again: sibyl login'] as const]),
  ]
}

const oracleFields = ({ name, did, entity }: OracleHere): Field[] => [
  ['oracle', cleanLine(name ?? 'without a name')],
  ['its DID', did ?? 'none: ORACLE_MNEMONIC is not set or invalid'],
  ['its entity', entity === undefined ? 'not registered' : cleanLine(entity)],
]
