import { isAbility } from '@sibyl/identity'
import { type Command, InvalidArgumentError, Option } from 'commander'

/** Adds the options of every command that talks to an oracle, see `OracleOptions`. */
export const addOracleOptions = (command: Command): Command =>
  command
    .addOption(new Option('--url <url>', 'where the oracle is (default: SIBYL_URL or http://localhost:3000)'))
    .option('--trust', 'accept that the oracle at this address has a new identity')

/** Adds `--json` to a command that answers with one object. */
export const addJsonOption = (command: Command): Command =>
  command.option('--json', 'one JSON object on stdout, also where it fails')

/** Takes one more ability of an option that may be repeated. */
export const addAbility = (value: string, earlier: readonly string[] = []): readonly string[] => {
  if (!isAbility(value)) throw new InvalidArgumentError('Expected one such as chat/send, chat/* or *.')
  return [...earlier, value]
}
