import type { CommandIo } from '../../command-io.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import type { KeptKey } from '../../keystore/keystore.ts'
import { readPassphrase } from '../../keystore/read-passphrase.ts'
import { type Field, showFields } from '../../output/show-fields.ts'
import { isTerminal } from '../../output/styles.ts'
import { writeJson } from '../../output/write-json.ts'
import { openKeyRoom } from './key-room.ts'
import type { ShowOptions } from './keys-options.ts'
import { revealWords } from './reveal-words.ts'

/**
 * Runs `sibyl keys show`.
 *
 * @param name @default all
 * @throws CommandError
 */
export const showKeys = async (name: string | undefined, options: ShowOptions, io: CommandIo): Promise<ExitCode> => {
  if (options.reveal) return reveal(name, options, io)
  const { keystore } = openKeyRoom(options, io)
  if (name !== undefined) {
    const key = await keystore.find(name)
    if (options.json) writeJson(io, recordOf(key))
    else showFields(io, fieldsOf(key))
    return exitCode.done
  }
  const keys = await keystore.list()
  if (options.json) writeJson(io, { keys: keys.map(recordOf) })
  else if (keys.length === 0) io.stdout.write('No keys yet. Make one: sibyl keys new work\n')
  else showFields(io, keys.map(lineOf))
  return exitCode.done
}

const reveal = async (name: string | undefined, options: ShowOptions, io: CommandIo): Promise<ExitCode> => {
  const { keystore, asker, during } = openKeyRoom(options, io)
  if (name === undefined) throw cliErrors.usage_invalid('Which key?', 'Name one: sibyl keys show work --reveal')
  if (!asker || !isTerminal(io.stdout, io.env)) {
    throw cliErrors.usage_invalid('Words are shown on a terminal alone.', 'Run it there, without --json.')
  }
  await keystore.find(name)
  const passphrase = (await readPassphrase(options, io, asker)) ?? ''
  const { words } = await during('Opening it', () => keystore.open(name, passphrase))
  await revealWords(name, words, { io, asker })
  return exitCode.done
}

const recordOf = ({ name, did, createdAt, retiredAt, path }: KeptKey) => ({
  name,
  did,
  createdAt,
  ...(retiredAt === undefined ? {} : { retiredAt }),
  path,
})

const fieldsOf = ({ name, did, createdAt, retiredAt, path }: KeptKey): Field[] => [
  ['key', name],
  ['did', did],
  ['made', dayOf(createdAt)],
  ...(retiredAt === undefined ? [] : [['retired', dayOf(retiredAt)] satisfies Field]),
  ['file', path],
]

const lineOf = ({ name, did, retiredAt }: KeptKey): Field => [
  name,
  retiredAt === undefined ? did : `${did}  retired ${dayOf(retiredAt)}`,
]

const dayOf = (time: string): string => time.slice(0, 10)
