import type { ApiDocument } from './api-document.ts'
import { type RouteOfDocument, routesOf } from './api-document.ts'
import { linkPages, type Pages, slug } from './link-pages.ts'
import { markdownTable } from './markdown-table.ts'
import { accessText, routeSection } from './route-section.ts'
import { type JsonSchema, schemaLine, schemaText } from './schema-text.ts'

/** Pages with more lines are split. */
const maximumLines = 900

/** Routes on one page. */
interface Group {
  /** The name of its file, without the extension. */
  readonly file: string
  readonly title: string
  readonly description: string
  readonly routes: readonly RouteOfDocument[]
}

/**
 * Returns the pages `docs/reference/http.md`, for all routes, and `docs/reference/http/*.md`, for each group of routes and for the
 * types that they share.
 *
 * @param document The document that an oracle returns at `/openapi.json`.
 */
export const httpPages = (document: ApiDocument): Pages => {
  const routes = routesOf(document)
  const groups = document.tags
    .map(({ name, description }): Group => {
      const own = routes.filter(({ operation }) => operation.tags.includes(name))
      const isPlugin = own.some(({ operation }) => operation['x-owner'] !== 'core')
      return { file: slug(name), title: isPlugin ? `Plugin ${name}` : name, description, routes: own }
    })
    .flatMap(splitGroup)
  return linkPages(
    new Map([
      ['docs/reference/http.md', overview(document, groups)],
      ['docs/reference/http/types.md', typesText(document)],
      ...groups.map(group => [`docs/reference/http/${group.file}.md`, groupPage(group)] as const),
    ]),
  )
}

const groupPage = ({ title, description, routes }: Group): string =>
  `${[`# ${title}`, description, ...routes.map(routeSection)].join('\n\n')}\n`

const isTooLong = (group: Group): boolean => groupPage(group).split('\n').length > maximumLines

/**
 * Moves the routes of other resources than that of the first one to a page of their own, where a page is too long, with the last
 * routes that still do not fit.
 */
const splitGroup = (group: Group): Group[] => {
  if (!isTooLong(group)) return [group]
  const resource = ({ name }: RouteOfDocument) => /^\S+ (\/v\d+)?\/([^/]*)/.exec(name)?.[2]
  const main = resource(group.routes[0]!)
  const { main: own = [], others = [] } = Object.groupBy(group.routes, route =>
    resource(route) === main ? 'main' : 'others',
  )
  while (isTooLong({ ...group, routes: own })) others.unshift(own.pop()!)
  return [
    { ...group, routes: own },
    { ...group, file: `${group.file}-others`, title: `${group.title}: other routes`, routes: others },
  ]
}

const overview = (document: ApiDocument, groups: readonly Group[]): string => `# HTTP

Every route of core and of the bundled plugins. These pages are written by \`npx -y pnpm@12 reference\` from the OpenAPI
document that an oracle answers at [\`/openapi.json\`](#get-openapijson); the [API reference](api.md), and \`/docs\` of a running
oracle, show the same as a page on which calls can be tried.

- [For all routes](#for-all-routes)
- [The chat stream](#the-chat-stream)
${groups.map(({ title, file }) => `- [${title}](http/${file}.md)`).join('\n')}
- [Types](http/types.md)

${markdownTable(
  ['Route', 'What it does', 'Access'],
  groups.flatMap(group =>
    group.routes.map(({ name, operation }) => [
      `[${name}](#${slug(name)})`,
      operation.summary ?? '',
      accessText(operation['x-access']),
    ]),
  ),
)}

${general(document)}

${streamText(document)}
`

const credentials = ({ components }: ApiDocument): string[][] =>
  Object.entries(components.securitySchemes).map(([name, { description }]) => [`\`${name}\``, description])

const sharedAnswers = (document: ApiDocument): string[][] => {
  const statuses = new Map(
    routesOf(document).flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, { $ref }]) => ($ref ? [[status, $ref] as const] : [])),
    ),
  )
  return [...statuses].sort().map(([status, reference]) => {
    const { description = '', headers = {} } = document.components.responses[reference.split('/').at(-1)!] ?? {}
    return [status, description, Object.keys(headers).join(', ')]
  })
}

const general = (document: ApiDocument): string => `## For all routes

**Who is calling.** Every credential is sent as \`Authorization: Bearer <credential>\`. Which of them open a route is in its
\`security\` in the document; a UCAN of the route's ability does unless the route says otherwise.

${markdownTable(['Credential', 'What it is'], credentials(document))}

**UCAN.** \`Authorization: Bearer <invocation>\`: a UCAN (JWT, version 0.8.1) signed with an Ed25519 key, addressed to the
\`did\` or \`publicDid\` of \`/.well-known/oracle.json\`, for the resource \`oracle:<that did>\` and the ability that the route
names; \`chat/*\` and \`*\` cover more. It lives at most 900 s, and 60 s of difference between the clocks are forgiven. Each
invocation is good for one request, except that GET may repeat it. With \`ORACLE_ACCESS=delegated\` its proofs must lead
back to the oracle or one of \`ORACLE_CONTROLLERS\`. A refusal is a 401, or a 403 where the invocation is genuine but does
not allow what was asked; an oracle without a signing key answers 401 \`signing_key_missing\`. The
[client](../../packages/client/README.md) does all of this.

**Requests.** A body is JSON with its \`Content-Type\`, at most 1,000,000 bytes, nested at most 32 deep, without a key
\`__proto__\`; else 400, 413 or 415. What does not fit the route is 400 \`input_invalid\`. \`X-Request-Id\` is taken over when
it has 1 to 64 letters, digits or \`_ . : -\`, and given back on every answer. HEAD is answered as GET.

**Answers.** A path that is there answers another method with 405 \`method_not_allowed\` and \`Allow\`. The pages of the
routes list what each route answers for itself; what they list under "Also" is in the next table.

### Answers that routes share

${markdownTable(['Status', 'Answer', 'Headers'], sharedAnswers(document))}

### Problems

An error is \`application/problem+json\` (RFC 9457), of the type [Problem](#problem). \`type\` is \`urn:sibyl:error:<code>\`;
\`code\` is stable, and all of them are in [Errors](errors.md). Where the input is wrong, \`issues\` says what and where: \`path\`
is a JSON Pointer (RFC 6901) into the body, \`/<name>\` of a parameter of the path, the query or the headers.`

const streamText = (document: ApiDocument): string => `## The chat stream

Server-sent events in the form of the UI message stream of the AI SDK (\`x-vercel-ai-ui-message-stream: v1\`), so that
\`useChat\` reads it. Each frame has an id, \`<turnId>:<n>\`; a client that lost the connection asks for the rest with the last
one as \`Last-Event-ID\`, for 10 minutes after the turn's end. After a crash the last event has a number from
1,000,000 on, so that no id stands for two events. Losing the connection does not stop the turn. A comment is
sent at least every 15 s. Exactly one of \`finish\`, \`abort\` and \`error\` ends a stream, then \`data: [DONE]\`. The answer is
stored before that last event is sent.

${markdownTable(['Event', 'What it carries besides'], eventRows(document))}`

const eventRows = ({ components }: ApiDocument): string[][] =>
  (components.schemas.ChatEvent?.anyOf ?? []).map(({ properties: { type, ...rest } = {}, required = [] }) => [
    eventNames(type ?? {})
      .map(name => `\`${name}\``)
      .join(', '),
    Object.entries(rest)
      .map(([name, schema]) => `\`${name}${required.includes(name) ? '' : '?'}: ${schemaLine(schema)}\``)
      .join(', '),
  ])

const eventNames = ({ const: only, enum: several, pattern }: JsonSchema): string[] =>
  only === undefined ? (several?.map(String) ?? (pattern?.startsWith('^data-') ? ['data-<name>'] : [])) : [String(only)]

/** The types that routes name; the events of the stream have their own table. */
const typesText = ({ components }: ApiDocument): string =>
  [
    '# Types',
    'The types that several routes share.',
    ...Object.entries(components.schemas)
      .filter(([name]) => name !== 'ChatEvent')
      .map(([name, schema]) => `## ${name}\n\n\`\`\`ts\n${schemaText(schema)}\n\`\`\``),
  ]
    .join('\n\n')
    .concat('\n')
