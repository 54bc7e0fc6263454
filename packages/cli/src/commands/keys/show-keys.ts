import type { Mnemonic } from '@sibyl/identity'
import type { Asker } from '../../ask/asker.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { KeptKey } from '../../keystore/keystore.ts'
import { readPassphrase } from '../../keystore/read-passphrase.ts'
import { writeJson } from '../../output/clean-text.ts'
import { type Field, showFields } from '../../output/show-fields.ts'
import { isTerminal } from '../../output/styles.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { openKeyContext } from './key-context.ts'
import type { ShowOptions } from './keys-command.ts'

/**
 * Runs `sibyl keys show`.
 *
 * @param name @default all
 */
export const showKeys = async (name: string | undefined, options: ShowOptions, io: CommandIo): Promise<void> => {
  if (options.reveal) return reveal(name, options, io)
  const { keystore } = openKeyContext(options, io)
  if (name !== undefined) {
    const key = await keystore.find(name)
    if (options.json) writeJson(io, recordOf(key))
    else showFields(io, fieldsOf(key))
    return
  }
  const keys = await keystore.list()
  if (options.json) writeJson(io, { keys: keys.map(recordOf) })
  else if (keys.length === 0) io.stdout.write(asCalled('No keys yet. Create one: sibyl keys new work\n', io.env))
  else showFields(io, keys.map(lineOf))
}

const reveal = async (name: string | undefined, options: ShowOptions, io: CommandIo): Promise<void> => {
  const { keystore, asker, during } = openKeyContext(options, io)
  if (name === undefined) throw cliErrors.usage_invalid('Which key?', 'Pass a name: sibyl keys show work --reveal')
  if (!asker || !isTerminal(io.stdout, io.env)) {
    throw cliErrors.usage_invalid(
      'A mnemonic is shown only on a terminal.',
      'Run the command on a terminal, without --json.',
    )
  }
  await keystore.find(name)
  const passphrase = (await readPassphrase(options, io, asker)) ?? ''
  const { words } = await during('Opening it', () => keystore.open(name, passphrase))
  await revealWords(name, words, { io, asker })
}

const recordOf = ({ version: _, ...record }: KeptKey) => record

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

const columnWidth = 13

/**
 * Shows the mnemonic of a key until the user confirms: on the alternate screen of the terminal, which has no
 * scrollback.
 */
const revealWords = async (
  name: string,
  words: Mnemonic,
  { io: { stdout }, asker }: { readonly io: CommandIo; readonly asker: Asker },
): Promise<void> => {
  stdout.write('\u001b[?1049h\u001b[2J\u001b[H')
  try {
    stdout.write(`The mnemonic of ${name}. Anyone who has it controls the key.\n\n`)
    stdout.write(`${grid(words.reveal().split(' '), stdout.columns ?? 80)}\n\n`)
    while (!(await asker.confirm('Press Enter to clear the screen once you have written it down.'))) {}
  } finally {
    stdout.write('\u001b[2J\u001b[?1049l')
  }
  stdout.write(`The mnemonic of ${name} was shown.\n`)
}

const grid = (words: readonly string[], columns: number): string => {
  const inLine = Math.max(1, Math.min(4, Math.floor(columns / columnWidth)))
  const cells = words.map((word, place) => `${String(place + 1).padStart(2)}. ${word}`.padEnd(columnWidth))
  const lines = Array.from({ length: Math.ceil(cells.length / inLine) }, (_, line) =>
    cells
      .slice(line * inLine, (line + 1) * inLine)
      .join('')
      .trimEnd(),
  )
  return lines.join('\n')
}
