import { isAbility } from '@sibyl/identity'
import { type Command, InvalidArgumentError } from 'commander'
import { oracleUrlOption } from '../oracle-url-option.ts'

/** Adds the options of every command that talks to an oracle, see `OracleOptions`. */
export const addOracleOptions = (command: Command): Command =>
  command.addOption(oracleUrlOption()).option('--trust', 'accept that the oracle at this address has a new identity')

/** Adds `--json` to a command that answers with one object. */
export const addJsonOption = (command: Command): Command =>
  command.option('--json', 'one JSON object on stdout, also where it fails')

/** What a command ends with that asks an oracle. */
export const askingExitCodes = 'Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network.'

/** What a command ends with that looks on this computer alone. */
export const localExitCodes = 'Exit codes: 0 done, 2 usage, 3 configuration.'

/** Takes one more ability of an option that may be repeated. */
export const addAbility = (value: string, earlier: readonly string[] = []): readonly string[] => {
  if (!isAbility(value)) throw new InvalidArgumentError('Expected one such as chat/send, chat/* or *.')
  return [...earlier, value]
}
