import { abilities, jsonOption, operatorOption, oracleOptions, urlOption } from '../../command/common-options.ts'
import { defineCommand, wholeNumber } from '../../command/define-command.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { defineOperation } from '../../operations/define-operation.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { writeList } from '../../output/write-list.ts'

const help = `At an oracle with OAuth, list shows the applications that act for you, and end ends one; with --operator, those of all users.
The operator creates codes for users without a key. The operator token is read from the .env of the project; elsewhere, set
ORACLE_OPERATOR_TOKEN. It is not accepted as an argument, because other users of the computer could see it.`

const options = { ...operatorOption, ...oracleOptions, ...jsonOption } as const

/** Returns the error for an oracle without OAuth. */
export const noOauth = (cause: unknown) =>
  cliErrors.configuration_invalid('This oracle does not use OAuth.', 'Set OAUTH=on and restart it.', { cause })

const codeCommand = defineOperation({
  name: 'code',
  summary: 'create a one-time code for a user without a key',
  help: 'Prints a code for the sign-in page, valid for one sign-in. The same name is always the same user of this oracle.',
  examples: [
    'sibyl sign-in code Mutale',
    'sibyl sign-in code Mutale --scope chat/send --minutes 60',
    'sibyl sign-in code did:key:z6Mk…',
  ],
  positionals: { user: { summary: 'a DID, or a name' } },
  options: {
    scope: {
      ...abilities,
      summary: 'an ability of the user, repeatable (default: chat/*, session/*, me/export and me/erase)',
    },
    minutes: {
      value: '<minutes>',
      parse: wholeNumber('whole minutes', 1, 60),
      summary: 'validity in minutes, 1 to 60 (default: 10)',
    },
    ...urlOption,
    ...jsonOption,
  },
  caller: 'operator',
  route: 'POST /oauth/codes',
  input: ({ positionals: { user }, options: { scope: scopes, minutes } }) => ({
    body: { ...(/^did:[a-z0-9]+:\S+$/.test(user) ? { did: user } : { name: user }), scopes, minutes },
  }),
  response: 'signInCode',
  print({ code, did, scopes, expiresAt }, { io }) {
    io.stdout.write(`${cleanLine(code)}\n`)
    io.stderr.write(
      `Valid for one sign-in as ${cleanLine(did)} until ${cleanLine(expiresAt)}, with at most ${cleanLine(scopes.join(' '))}.\n`,
    )
  },
  errors: { 404: noOauth },
})

const listCommand = defineOperation({
  name: 'list',
  summary: 'list the applications that act for you',
  examples: ['sibyl sign-in list', "sibyl sign-in list --operator --json | jq -r '.signIns[].clientName'"],
  options,
  caller: 'user',
  route: 'GET /oauth/sign-ins',
  input: () => ({ abilities: ['sign-in/read'] }),
  response: 'signInList',
  list: 'signIns',
  print({ signIns }, { io }) {
    const entries = signIns.map(
      ({ id, did, client, clientName, nameVerified, application, resource, scopes, ...times }) => ({
        title: `${id} ${nameVerified ? clientName : (application ?? client)}`,
        facts: {
          ...(nameVerified ? {} : { name: `${clientName} (not verified)` }),
          ...(did === undefined ? {} : { 'acts as': did }),
          at: resource,
          scopes: scopes.join(' '),
          created: times.createdAt,
          expires: times.expiresAt,
          used: times.usedAt,
        },
      }),
    )
    writeList(io, entries, 'There are no sign-ins.')
  },
  errors: { 404: noOauth },
})

const noSuchSignIn = (cause: unknown) =>
  cliErrors.usage_invalid('You have no sign-in with this ID.', 'sibyl sign-in list shows your sign-ins.', { cause })

const endCommand = defineOperation({
  name: 'end',
  summary: 'end the access of an application',
  help: 'The tokens of the application are rejected from now on, in every process.',
  examples: ['sibyl sign-in end signin_0mhz3k2f1V1StGXR8Z5jd'],
  positionals: { id: { summary: 'its ID, as listed by sibyl sign-in list' } },
  options,
  caller: 'user',
  route: 'DELETE /oauth/sign-ins/{id}',
  input: ({ positionals: { id } }) => ({ abilities: ['sign-in/delete'], params: { id } }),
  response: 'noContent',
  json: ({ positionals: { id } }) => ({ ended: id }),
  print: (_, { io }) => void io.stderr.write('Ended.\n'),
  errors: { sign_in_not_found: noSuchSignIn, input_invalid: noSuchSignIn, 404: noOauth },
})

export const signInCommand = defineCommand({
  name: 'sign-in',
  summary: 'list the applications that act for you, and create codes for users without a key',
  help,
  examples: ['sibyl sign-in list', 'sibyl sign-in end signin_0mhz3k2f1V1StGXR8Z5jd', 'sibyl sign-in code Mutale'],
  commands: [codeCommand, listCommand, endCommand],
})
