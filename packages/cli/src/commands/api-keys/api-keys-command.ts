import { didText } from '@sibyl/protocol'
import { abilities, jsonOption, operatorOption, oracleOptions } from '../../command/common-options.ts'
import { defineCommand, wholeNumber } from '../../command/define-command.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { defineOperation } from '../../operations/define-operation.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { writeList } from '../../output/write-list.ts'
import { asCalled } from '../../process/called-as.ts'

const help = `An API key lets a client that cannot sign act as you, with at most your abilities. With --operator the key acts as a DID of
its own, and list and revoke apply to the keys of all users.`

const options = { ...operatorOption, ...oracleOptions, ...jsonOption } as const

const createCommand = defineOperation({
  name: 'create',
  summary: 'create an API key and print its secret',
  help: 'Prints the secret to stdout, once: the oracle stores only its hash. Clients send it as Authorization: Bearer <key>.',
  examples: [
    'sibyl api-keys create shop --scope chat/send --days 30',
    "sibyl api-keys create console --operator --scope 'chat/*'",
    'sibyl api-keys create shop > shop.key',
  ],
  positionals: { name: { summary: 'a name for the list of keys' } },
  options: {
    scope: { ...abilities, summary: 'an ability of the key, repeatable (default: chat/* and session/*)' },
    days: {
      value: '<days>',
      parse: wholeNumber('whole days', 1, 365),
      summary: 'validity in days, 1 to 365 (default: 90)',
    },
    did: { value: '<did>', summary: 'with --operator: the DID that the key acts as (default: one of its own)' },
    ...options,
  },
  caller: 'user',
  route: 'POST /api-keys',
  input({ positionals: { name }, options: { scope: scopes, days, did, operator } }) {
    if (did !== undefined && !operator)
      throw cliErrors.usage_invalid('--did is only for the operator.', 'Add --operator, or remove --did.')
    if (did !== undefined && !didText.safeParse(did).success)
      throw cliErrors.usage_invalid('--did is not a DID.', 'Pass did:key:z6Mk…')
    const abilities = ['api-key/create', ...(scopes ?? ['chat/*', 'session/*'])]
    return { abilities, body: { name, scopes, days, did } }
  },
  response: 'createdApiKey',
  print({ key, id, name, scopes, did, expiresAt }, { options: { operator }, io }) {
    io.stdout.write(`${key}\n`)
    io.stderr.write(
      `Created ${cleanLine(name)} (${id}): ${cleanLine(scopes.join(' '))} as ${cleanLine(did)} until ${expiresAt}.\n` +
        asCalled(
          `Store the key now; it is not shown again. To revoke it: sibyl api-keys revoke ${id}${operator ? ' --operator' : ''}\n`,
          io.env,
        ),
    )
  },
})

const listCommand = defineOperation({
  name: 'list',
  summary: 'list your API keys, without their secrets',
  examples: ['sibyl api-keys list', "sibyl api-keys list --operator --json | jq -r '.keys[].name'"],
  options,
  caller: 'user',
  route: 'GET /api-keys',
  input: () => ({ abilities: ['api-key/read'] }),
  response: 'apiKeyList',
  list: 'keys',
  print({ keys }, { io }) {
    const entries = keys.map(({ id, name, did, scopes, createdAt: created, expiresAt: expires, lastUsedAt }) => ({
      title: `${id} ${name}`,
      facts: { 'acts as': did, scopes: scopes.join(' '), created, expires, used: lastUsedAt ?? 'never' },
    }))
    writeList(io, entries, 'There are no API keys.')
  },
})

const noSuchKey = (cause: unknown) =>
  cliErrors.usage_invalid('You have no API key with this ID.', 'sibyl api-keys list shows your keys.', { cause })

const revokeCommand = defineOperation({
  name: 'revoke',
  summary: 'revoke an API key',
  help: 'The oracle rejects the key from now on, in every process.',
  examples: ['sibyl api-keys revoke key_0mhz3k2f1V1StGXR8Z5jd'],
  positionals: { id: { summary: 'its ID, as listed by sibyl api-keys list' } },
  options,
  caller: 'user',
  route: 'DELETE /api-keys/{id}',
  input: ({ positionals: { id } }) => ({ abilities: ['api-key/delete'], params: { id } }),
  response: 'noContent',
  json: ({ positionals: { id } }) => ({ revoked: id }),
  print: (_, { io }) => void io.stderr.write('Revoked.\n'),
  errors: { api_key_not_found: noSuchKey, input_invalid: noSuchKey },
})

export const apiKeysCommand = defineCommand({
  name: 'api-keys',
  summary: 'create, list and revoke API keys of an oracle',
  help,
  examples: [
    'sibyl api-keys create shop --scope chat/send --days 30',
    'sibyl api-keys list',
    'sibyl api-keys revoke key_0mhz3k2f1V1StGXR8Z5jd',
  ],
  commands: [createCommand, listCommand, revokeCommand],
})
