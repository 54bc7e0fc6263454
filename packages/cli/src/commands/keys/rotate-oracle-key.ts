import { basename, join } from 'node:path'
import { createMnemonic, type Mnemonic, parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import type { Asker } from '../../ask/asker.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { checkKeyName } from '../../keystore/key-file.ts'
import type { KeptKey } from '../../keystore/keystore.ts'
import { passphraseFlag, readNewPassphrase } from '../../keystore/read-passphrase.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { shellWord, slugOf } from '../../output/format.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { editEnvFile } from '../../project/edit-env-file.ts'
import { openProject } from '../../project/open-project.ts'
import type { Project } from '../../project/project.ts'
import { isSqliteInUse, sqlitePath, usualDatabaseUrl } from '../../project/sqlite-database.ts'
import { discoverOracle } from '../../registry/discover-oracle.ts'
import { missingAnswers, openKeyContext, printMade } from './key-context.ts'
import type { RotateOptions } from './keys-command.ts'
import { rotationEffects } from './rotation-effects.ts'

/**
 * Runs `sibyl keys rotate --oracle`: sets a new ORACLE_MNEMONIC in the `.env` of the project. The old mnemonic is first
 * stored, encrypted as a retired key.
 *
 * @param name The name of the retired key. @default derived from the name of the oracle
 */
export const rotateOracleKey = async (
  name: string | undefined,
  options: RotateOptions,
  io: CommandIo,
): Promise<ExitCode | undefined> => {
  const project = await openProject(io)
  const oracleName = project.setting('ORACLE_NAME') ?? basename(project.folder)
  const keptAs = checkKeyName(name ?? slugOf(oracleName))
  const before = mnemonicOf(project, io)
  const { did } = await signingKeyFromMnemonic(before)
  await assertStopped(project, did)
  const { keystore, asker, during } = openKeyContext(options, io)
  if (!options.yes && asker && !(await isConfirmed(oracleName, did, asker))) {
    io.stdout.write('Nothing was changed.\n')
    return exitCode.failed
  }
  const passphrase = await readNewPassphrase(options, io, asker)
  const missing = [...(options.yes || asker ? [] : ['--yes']), ...(passphrase === undefined ? [passphraseFlag] : [])]
  if (passphrase === undefined || missing.length > 0) {
    throw missingAnswers(missing, 'sibyl keys rotate --oracle --yes --passphrase-file ./passphrase')
  }
  const retired = await during('Storing the old key', () => keystore.addRetired(keptAs, before, passphrase))
  await assertStopped(project, did)
  await assertUnchanged(project, io)
  const made = createMnemonic(24)
  const key = await signingKeyFromMnemonic(made)
  await editEnvFile(join(project.folder, '.env'), {
    ORACLE_MNEMONIC: made.reveal(),
    ...controllersWith(project, did, key.did),
  })
  printRotated({ did: key.did, retired, project }, options, io)
}

const mnemonicOf = ({ envFile, folder }: Project, { env }: CommandIo): Mnemonic => {
  if (env.ORACLE_MNEMONIC?.trim()) {
    const message = 'ORACLE_MNEMONIC is set in the environment, which overrides .env.'
    throw cliErrors.configuration_invalid(message, 'Change it there, or unset it for this command.')
  }
  const path = join(folder, '.env')
  if (!envFile.ORACLE_MNEMONIC?.trim()) {
    throw cliErrors.configuration_invalid(`${path} has no ORACLE_MNEMONIC.`, 'Create one: sibyl env init')
  }
  const parsed = parseMnemonic(envFile.ORACLE_MNEMONIC)
  if (parsed.ok) return parsed.mnemonic
  throw cliErrors.configuration_invalid(`ORACLE_MNEMONIC in ${path} is not a mnemonic.`, parsed.message)
}

/** Checks that the mnemonic did not change in the meantime: a new one would be lost. */
const assertUnchanged = async ({ folder, envFile }: Project, io: CommandIo): Promise<void> => {
  if ((await openProject(io)).envFile.ORACLE_MNEMONIC === envFile.ORACLE_MNEMONIC) return
  const message = `ORACLE_MNEMONIC in ${join(folder, '.env')} was changed by another process and is left unchanged.`
  throw cliErrors.configuration_invalid(message, 'Check that change, and run this command again if it is still needed.')
}

const isConfirmed = (oracleName: string, did: string, asker: Asker): Promise<boolean> => {
  asker.note(
    [
      `Its current DID is ${did}.`,
      'Users on phones, and API keys without a DID, get new identities: their DIDs are derived from its key.',
    ],
    `${cleanLine(oracleName)} gets a new key, and with it a new DID`,
  )
  return asker.confirm('Go on?', false)
}

/** Returns the controllers with the new DID instead of the old one, since a lost key must not authorize any caller. */
const controllersWith = ({ envFile }: Project, before: string, after: string): Readonly<Record<string, string>> => {
  const controllers = (envFile.ORACLE_CONTROLLERS ?? '').split(/[\s,]+/).filter(Boolean)
  if (!controllers.includes(before)) return {}
  return { ORACLE_CONTROLLERS: controllers.map(did => (did === before ? after : did)).join(',') }
}

const printRotated = (
  { did, retired, project }: { readonly did: string; readonly retired: KeptKey; readonly project: Project },
  { json }: RotateOptions,
  io: CommandIo,
): void => {
  const entityDid = project.setting('ORACLE_ENTITY_DID')
  if (json) {
    const record = { did, retired: { name: retired.name, did: retired.did }, effects: rotationEffects }
    writeJson(io, entityDid === undefined ? record : { ...record, entityDid })
    return
  }
  const handOver = [
    'Its entity names the old DID. Update it as its controller, with the old key if that is the controller:',
    `  sibyl login --key ${retired.name}`,
    `  sibyl update-entity ${shellWord(cleanLine(entityDid ?? ''))} --set did=${did} --controller ${did}`,
  ]
  printMade(
    io,
    [
      ['new', `${did}  .env`],
      ['old', `${retired.did}  ${retired.name}`],
    ],
    [
      'Start the oracle: it then signs with the new key.',
      '',
      ...rotationEffects.flatMap(({ what, effect, action }) => [`${what}: ${effect}.${action ? ` ${action}.` : ''}`]),
      '',
      ...(entityDid === undefined ? [] : handOver),
      `The mnemonic is in ${join(project.folder, '.env')}: keep a copy in a safe place.`,
    ],
  )
}

/**
 * Checks that no oracle runs with the key that is about to be replaced: none has the project's SQLite database open, and
 * none answers at its port under the DID. Processes on other machines are not found.
 *
 * @throws `configuration_invalid`
 */
const assertStopped = async ({ folder, setting }: Project, did: string): Promise<void> => {
  const url = setting('DATABASE_URL') ?? usualDatabaseUrl
  const path = url.startsWith('file:') ? sqlitePath(url, folder) : undefined
  const isRunning = (path !== undefined && isSqliteInUse(path)) || (await answersAs(did, setting('PORT') ?? '3000'))
  if (!isRunning) return
  throw cliErrors.configuration_invalid(
    'The oracle is running. It would go on signing with the old key, and nothing was changed.',
    'Stop all of its processes, and run this again.',
  )
}

const answersAs = async (did: string, port: string): Promise<boolean> => {
  const found = await discoverOracle(`http://127.0.0.1:${Number(port)}`, { timeLimitMs: 1_000 })
  return found.kind === 'oracle' && found.record.did === did
}
