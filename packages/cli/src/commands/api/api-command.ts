import { operatorOption, oracleOptions } from '../../command/common-options.ts'
import { checkedText, defineCommand, type OptionsOf } from '../../command/define-command.ts'

const parseMember = checkedText(text => /^[^=]+=/.test(text), 'a name and a value, such as name=shop.')

const apiOptions = {
  rawField: {
    short: 'f',
    value: '<name=value>',
    repeated: true,
    parse: parseMember,
    conflicts: 'input',
    summary: 'a text of the JSON body, or of the query of a GET; repeatable',
  },
  field: {
    short: 'F',
    value: '<name=value>',
    repeated: true,
    parse: parseMember,
    conflicts: 'input',
    summary: 'the same for true, false, null, a number, or @ and a file; other values are texts',
  },
  input: { value: '<file>', summary: 'the body, - for stdin' },
  header: {
    short: 'H',
    value: '<name: value>',
    repeated: true,
    parse: checkedText(
      text => /^[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e]*$/.test(text) && !/^authorization:/i.test(text),
      'a header such as accept: text/plain, other than authorization.',
    ),
    summary: 'a header, repeatable',
  },
  include: { short: 'i', summary: 'print the status and the headers as well' },
  ...operatorOption,
  ...oracleOptions,
} as const

export type ApiOptions = OptionsOf<typeof apiOptions>

const help = `Sends any request to an oracle, signed with your key and with all of your abilities. Prints the body of the response, on a
terminal with its JSON indented; a stream of events is printed as it arrives. /docs of an oracle lists its routes.`

export const apiCommand = defineCommand({
  name: 'api',
  summary: 'send any request to an oracle, signed as you',
  help,
  examples: [
    'sibyl api GET /sessions',
    "sibyl api GET /sessions -f limit=5 | jq -r '.sessions[].id'",
    'sibyl api POST /api-keys -f name=shop -F days=30',
    "sibyl api POST /v1/entities --input stove.json -H 'idempotency-key: stove-17'",
    'sibyl api GET /operator/jobs --operator',
    'sibyl api DELETE /sessions/42 --include',
  ],
  exits: '0 a status of 2xx, 1 another status, 2 usage, 3 configuration, 4 network.',
  positionals: {
    method: {
      summary: 'GET, POST, PUT, PATCH, DELETE or HEAD',
      parse: checkedText(text => /^(get|post|put|patch|delete|head)$/i.test(text), 'a method such as GET.'),
    },
    path: {
      summary: 'the path of a route: /sessions',
      parse: checkedText(text => /^\/[^\s#]*$/.test(text), 'a path that starts with a slash, such as /sessions.'),
    },
  },
  options: apiOptions,
  run: async ({ positionals: { method, path }, options, io }) =>
    (await import('./api.ts')).api({ method: method.toUpperCase(), path }, options, io),
})
