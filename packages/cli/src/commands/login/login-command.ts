import { defineCommand } from '../../command/define-command.ts'
import { loginOptions } from './login-options.ts'

const help = `
A login allows this computer to register and change entities in your name for some hours. By phone: scan the QR code.
A page in the browser of the phone creates or decrypts a key, shows the request, and signs or refuses it. Compare the
number on both screens. With --key, an encrypted key of this computer signs (sibyl keys new).
Testnet and mainnet require the signature of an account: there sign with the mnemonic, without a login.

Examples:
  sibyl login                         scan, compare, sign; valid for 12 hours
  sibyl login --hours 1               valid for one hour
  sibyl login --key work              sign with the key "work" of the keystore
  SIBYL_SIGNING_HOST=10.0.0.5 sibyl login     the address that the phone can reach

Exit codes: 0 done, 1 refused or expired, 2 usage, 3 configuration, 4 network, 130 interrupted.`

export const loginCommand = defineCommand({
  name: 'login',
  summary: 'sign in at a registry with your phone or a key',
  help,
  options: loginOptions,
  run: async ({ options, io }) => (await import('./login.ts')).login(options, io),
})
