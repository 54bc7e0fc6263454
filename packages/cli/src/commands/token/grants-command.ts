import { jsonOption, operatorOption, oracleOptions } from '../../command/common-options.ts'
import { defineCommand } from '../../command/define-command.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { defineOperation } from '../../operations/define-operation.ts'
import { writeList } from '../../output/write-list.ts'

const help = `Lists the grants that you made or have, with --operator those of all users. Shown are grants of sibyl token grant, and those
that a program recorded with POST /grants.`

const examples = [
  'sibyl token grants list',
  "sibyl token grants list --operator --json | jq -r '.grants[].audience'",
  'sibyl token grants revoke 3q2-7wEBAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs',
]

const options = { ...operatorOption, ...oracleOptions, ...jsonOption } as const

const listCommand = defineOperation({
  name: 'list',
  summary: 'list the grants that you made or have',
  help,
  examples,
  options,
  caller: 'user',
  route: 'GET /grants',
  input: () => ({ abilities: ['delegation/read'] }),
  response: 'grantList',
  list: 'grants',
  print({ grants }, { io }) {
    const entries = grants.map(({ hash, name, audience, issuer, root, abilities, expiresAt }) => ({
      title: name === undefined ? hash : `${hash} ${name}`,
      facts: {
        'lets in': audience,
        from: issuer === root ? issuer : `${issuer}, granted by ${root}`,
        'to do': abilities.join(' '),
        until: expiresAt,
      },
    }))
    writeList(io, entries, 'There are no recorded grants.')
  },
})

const noSuchGrant = (cause: unknown) =>
  cliErrors.usage_invalid('You made no grant with this hash.', 'sibyl token grants list shows your grants.', { cause })

const revokeCommand = defineOperation({
  name: 'revoke',
  summary: 'revoke a grant that you made',
  help: 'The oracle rejects the delegation from now on, with everything that depends on it.',
  examples: ['sibyl token grants revoke 3q2-7wEBAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs'],
  positionals: { hash: { summary: 'its hash, as listed by sibyl token grants list' } },
  options,
  caller: 'user',
  route: 'DELETE /grants/{hash}',
  input: ({ positionals: { hash } }) => ({ abilities: ['delegation/delete'], params: { hash } }),
  response: 'noContent',
  json: ({ positionals: { hash } }) => ({ revoked: hash }),
  print: (_, { io }) => void io.stderr.write('Revoked, with everything that depends on it.\n'),
  errors: { grant_not_found: noSuchGrant, input_invalid: noSuchGrant },
})

export const grantsCommand = defineCommand({
  name: 'grants',
  summary: 'list and revoke granted access',
  help,
  examples,
  commands: [listCommand, revokeCommand],
})
