import type { EnvVariable } from '@sibyl/core'
import type { BotCredentials } from '../bot/bot-account.ts'

/** Returns a variable of a project that the `sibyl` command reads or writes, independent of plugins. */
export const commandVariable = (name: string, description: string, more: Partial<EnvVariable> = {}): EnvVariable => ({
  name,
  owner: 'sibyl',
  description,
  takes: 'text',
  need: 'optional',
  secret: false,
  ...more,
})

/** Variables of a project that the `sibyl` command reads, besides those of its oracle. */
export const commandVariables: readonly EnvVariable[] = [
  commandVariable('REGISTRY_URL', 'The registry of devnet, if it is not `sibyl devnet` on this computer.', {
    takes: 'URL',
    default: 'http://localhost:4100',
    example: 'https://entities.example.org',
  }),
  commandVariable('CHAIN_RPC_URL', 'The RPC node of the chain, on testnet and mainnet.', {
    takes: 'URL',
    example: 'https://rpc.example.org',
  }),
  commandVariable('CHAIN_RELAYER_NODE', 'The operator account that registers entities on the chain.', {
    takes: 'DID',
    default: "the account's own DID",
    example: 'did:ixo:entity:…',
  }),
  commandVariable('CHAIN_GAS_PRICE', 'The gas price of the chain.', { takes: 'text', default: '0.025uixo' }),
]

/** Variables with the credentials of the messaging bot, and the credential of each. */
export const botVariables: readonly (readonly [EnvVariable, keyof BotCredentials])[] = [
  [
    commandVariable('MATRIX_BASE_URL', 'The Matrix homeserver of the messaging bot.', {
      takes: 'URL',
      example: 'https://matrix.example.org',
    }),
    'baseUrl',
  ],
  [
    commandVariable('MATRIX_ORACLE_ADMIN_USER_ID', "The bot's Matrix user.", { example: '@oracle:matrix.example.org' }),
    'userId',
  ],
  [commandVariable('MATRIX_ORACLE_ADMIN_PASSWORD', "The bot's password.", { secret: true }), 'password'],
  [commandVariable('MATRIX_ORACLE_ADMIN_ACCESS_TOKEN', "The bot's access token.", { secret: true }), 'accessToken'],
  [
    commandVariable('MATRIX_ORACLE_ACCOUNT_ROOM_ID', "The room for the bot's own account.", {
      example: '!room:matrix.example.org',
    }),
    'accountRoomId',
  ],
]

/** Variables that the `sibyl` command reads only from the environment, never from the `.env` of a project. */
export const shellVariables: readonly EnvVariable[] = [
  commandVariable('SIBYL_HOME', 'The folder of your keys, logins and the devnet.', { default: '~/.config/sibyl' }),
  commandVariable('SIBYL_URL', 'The address of the oracle for chat, token and ussd.', {
    takes: 'URL',
    default: 'http://localhost:3000',
  }),
  commandVariable('SIBYL_PASSPHRASE', 'The passphrase of a key, for use without a terminal.', { secret: true }),
  commandVariable('SIBYL_MNEMONIC', 'The mnemonic of a key, for use without a terminal.', { secret: true }),
  commandVariable('SIBYL_SIGNING_HOST', 'The address of this computer for a phone that signs.', {
    example: '192.168.1.20',
  }),
  commandVariable('SIBYL_SIGNING_URL', 'An https origin that forwards to this computer, for a phone that signs.', {
    takes: 'URL',
    example: 'https://sign.example.org',
  }),
  commandVariable(
    'SIBYL_PACKAGES',
    'A folder of @sibyl/* tarballs, which new projects use instead of the published packages.',
  ),
  commandVariable('SIBYL_DEBUG', 'Shows stack traces of errors, if it is set.', { example: '1' }),
  commandVariable('MATRIX_REGISTRATION_TOKEN', 'The token that a homeserver requires to register the messaging bot.', {
    secret: true,
  }),
]

/**
 * Returns every variable of a project: those of the oracle, then those of the command that no plugin has.
 *
 * @param variables Of core and the plugins.
 */
export const projectVariables = (variables: readonly EnvVariable[]): EnvVariable[] => {
  const names = new Set(variables.map(({ name }) => name))
  const others = [...commandVariables, ...botVariables.map(([variable]) => variable)]
  return [...variables, ...others.filter(({ name }) => !names.has(name))]
}
