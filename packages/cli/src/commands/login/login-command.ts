import { Command, InvalidArgumentError } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import type { LoginOptions } from './login-options.ts'

const help = `
Whoever signs lets this computer register and change entities in their name, for some hours. By phone: scan the QR code,
and a page in the phone's browser makes or unlocks a key there, shows what is asked for, and signs or refuses. Compare the
number on both screens. With --key an encrypted key of this computer signs (sibyl keys new).
On testnet and mainnet the chain wants the signature of an account: there sign with the mnemonic, without a login.

Examples:
  sibyl login                         scan, compare, sign; good for 12 hours
  sibyl login --hours 1               good for one hour
  sibyl login --key work              sign with the key "work" of the keystore
  SIBYL_SIGNING_HOST=10.0.0.5 sibyl login     another address of this computer, which the phone reaches

Exit codes: 0 done, 1 refused or too late, 2 usage, 3 configuration, 4 network, 130 interrupted.`

/**
 * Makes the command `login`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const loginCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('login')
    .description('let this computer act in your name at a registry, by a signature of your phone')
    .option('--key <name>', 'sign with a key of the keystore instead of a phone')
    .option('--passphrase-file <file>', 'the passphrase of that key, - for stdin (or SIBYL_PASSPHRASE)')
    .option('--qr', 'wait for a phone, also without a terminal')
    .option('--controller <did>', 'who must sign; another key is refused')
    .option('--hours <hours>', 'how long it is good, 1 to 12 (default: 12)', parseHours)
    .option('--signing-host <address>', "this computer's address for the phone (or SIBYL_SIGNING_HOST)")
    .option('--signing-url <origin>', 'an https origin that leads to this computer (or SIBYL_SIGNING_URL)')
    .option('--registry-url <url>', 'where to sign in (default: REGISTRY_URL, else the devnet of this computer)')
    .option('--json', 'one JSON object on stdout, also where it fails')
    .addHelpText('after', help)
    .action(async (options: LoginOptions) => {
      const { login } = await import('./login.ts')
      finish(await login(options, io))
    })

const parseHours = (text: string): number => {
  const hours = Number(text)
  if (/^\d{1,2}$/.test(text) && hours >= 1 && hours <= 12) return hours
  throw new InvalidArgumentError('Expected whole hours from 1 to 12.')
}
