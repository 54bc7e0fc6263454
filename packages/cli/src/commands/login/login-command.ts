import { defineCommand } from '../../command/define-command.ts'
import { loginOptions } from './login-options.ts'

const help = `
Your signature lets this computer register and change entities in your name for some hours. By phone: scan the QR code,
and a page in the phone's browser makes or unlocks a key there, shows what is asked for, and signs or refuses. Compare the
number on both screens. With --key an encrypted key of this computer signs (sibyl keys new).
On testnet and mainnet the chain wants the signature of an account: there sign with the mnemonic, without a login.

Examples:
  sibyl login                         scan, compare, sign; good for 12 hours
  sibyl login --hours 1               good for one hour
  sibyl login --key work              sign with the key "work" of the keystore
  SIBYL_SIGNING_HOST=10.0.0.5 sibyl login     another address of this computer, which the phone reaches

Exit codes: 0 done, 1 refused or too late, 2 usage, 3 configuration, 4 network, 130 interrupted.`

export const loginCommand = defineCommand({
  name: 'login',
  summary: 'sign in at a registry with your phone or a key',
  help,
  options: loginOptions,
  run: async ({ options, io }) => (await import('./login.ts')).login(options, io),
})
