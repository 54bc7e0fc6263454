import { defineCommand } from '../../command/define-command.ts'
import { apiKeyOptions, createOptions } from './api-keys-options.ts'

const exitCodes = 'Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network.'

const help = `
An API key lets a client that cannot sign act as you, with at most your abilities. With --operator the key acts as a DID of
its own, and list and revoke apply to the keys of all users.

Examples:
  sibyl api-keys create shop --scope chat/send --days 30
  sibyl api-keys list
  sibyl api-keys revoke key_0mhz3k2f1V1StGXR8Z5jd

${exitCodes}`

const createHelp = `
Prints the secret to stdout, once: the oracle stores only its hash. Clients send it as Authorization: Bearer <key>.

Examples:
  sibyl api-keys create shop --scope chat/send --days 30
  sibyl api-keys create console --operator --scope 'chat/*'
  sibyl api-keys create shop > shop.key

${exitCodes}`

const listHelp = `
Examples:
  sibyl api-keys list
  sibyl api-keys list --operator --json | jq -r '.keys[].name'

${exitCodes}`

const revokeHelp = `
The oracle rejects the key from now on, in every process.

Examples:
  sibyl api-keys revoke key_0mhz3k2f1V1StGXR8Z5jd

${exitCodes}`

const createCommand = defineCommand({
  name: 'create',
  summary: 'create an API key and print its secret',
  help: createHelp,
  positionals: { name: { summary: 'a name for the list of keys' } },
  options: createOptions,
  run: async ({ positionals: { name }, options, io }) =>
    (await import('./create-api-key.ts')).createApiKey(name, options, io),
})

const listCommand = defineCommand({
  name: 'list',
  summary: 'list your API keys, without their secrets',
  help: listHelp,
  options: apiKeyOptions,
  run: async ({ options, io }) => (await import('./list-api-keys.ts')).listApiKeys(options, io),
})

const revokeCommand = defineCommand({
  name: 'revoke',
  summary: 'revoke an API key',
  help: revokeHelp,
  positionals: { id: { summary: 'its ID, as listed by sibyl api-keys list' } },
  options: apiKeyOptions,
  run: async ({ positionals: { id }, options, io }) =>
    (await import('./revoke-api-key.ts')).revokeApiKey(id, options, io),
})

export const apiKeysCommand = defineCommand({
  name: 'api-keys',
  summary: 'create, list and revoke API keys of an oracle',
  help,
  commands: [createCommand, listCommand, revokeCommand],
})
