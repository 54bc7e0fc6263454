import { OpenAPIHono, z } from '@hono/zod-openapi'
import type { RouteRecord } from '@sibyl/core'
import { chatEvent } from '@sibyl/protocol'
import { markdownTable } from './markdown-table.ts'
import { accessText, type Operation, routeName, routeSection } from './route-section.ts'
import { type JsonSchema, schemaLine, schemaText } from './schema-text.ts'

/**
 * The page `docs/reference/http.md`: what goes for all routes, then each of them.
 *
 * @param routes What a booted oracle says of itself.
 */
export const httpPage = (routes: readonly RouteRecord[]): string => {
  const operations = operationsOf(routes)
  const owners = [...Map.groupBy(routes, ({ owner }) => owner)]
  return `# HTTP

Every route of core and of the bundled plugins. This page is written by \`npx -y pnpm@12 reference\` from the
definitions in the sources.

${markdownTable(
  ['Route', 'What it does', 'Access'],
  routes.map(route => [link(routeName(route)), route.definition.summary ?? '', accessText(route.access)]),
)}

- [For all routes](#for-all-routes)
- [The chat stream](#the-chat-stream)
${owners.map(([owner]) => `- ${link(ownerTitle(owner))}`).join('\n')}

${general}

${streamText()}

${owners
  .map(([owner, own]) =>
    [`## ${ownerTitle(owner)}`, ...own.map(route => routeSection(route, operations(route)))].join('\n\n'),
  )
  .join('\n\n')}
`
}

const ownerTitle = (owner: string): string => (owner === 'core' ? 'Core' : `Plugin ${owner}`)

/** A link to a heading of this page. */
const link = (heading: string): string => {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-')
  return `[${heading}](#${anchor})`
}

/** Looks a route up in the OpenAPI document of all. */
const operationsOf = (routes: readonly RouteRecord[]): ((route: RouteRecord) => Operation) => {
  const app = new OpenAPIHono()
  for (const { definition } of routes) app.openAPIRegistry.registerPath(definition)
  const { paths } = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Sibyl', version: '0' } })
  return ({ definition: { method, path } }) =>
    (paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>)[path]![method]!
}

const general = `## For all routes

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

**Answers.** Besides those of its table, any route may answer 405 \`method_not_allowed\` with \`Allow\`, 500
\`internal_error\`, and 503 \`storage_unavailable\` while the database does not answer.

### Problems

An error is \`application/problem+json\` (RFC 9457). \`code\` is stable; all of them are in [Errors](errors.md).

\`\`\`ts
{
  type: string // urn:sibyl:error:<code>
  title: string
  status: number
  code: string
  detail?: string
  requestId?: string
  issues?: { path: string, message: string }[]
}
\`\`\``

const streamText = (): string => `## The chat stream

Server-sent events in the form of the UI message stream of the AI SDK (\`x-vercel-ai-ui-message-stream: v1\`), so that
\`useChat\` reads it. Each frame has an id, \`<turnId>:<n>\`; a client that lost the connection asks for the rest with the last
one as \`Last-Event-ID\`, for 10 minutes after the turn's end. Losing the connection does not stop the turn. A comment is
sent at least every 15 s. Exactly one of \`finish\`, \`abort\` and \`error\` ends a stream, then \`data: [DONE]\`. The answer is
stored before that last event is sent.

${markdownTable(['Event', 'What it carries besides'], eventRows())}

\`metadata\` of a message:

\`\`\`ts
${schemaText(metadataSchema())}
\`\`\``

const eventSchemas = (): readonly JsonSchema[] => (z.toJSONSchema(chatEvent) as JsonSchema).anyOf ?? []

const eventRows = (): string[][] =>
  eventSchemas().map(({ properties: { type, ...rest } = {}, required = [] }) => [
    eventNames(type ?? {})
      .map(name => `\`${name}\``)
      .join(', '),
    Object.entries(rest)
      .map(([name, schema]) => `\`${name}${required.includes(name) ? '' : '?'}: ${eventType(name, schema)}\``)
      .join(', '),
  ])

const eventNames = ({ const: only, enum: several, pattern }: JsonSchema): string[] =>
  only === undefined ? (several?.map(String) ?? (pattern?.startsWith('^data-') ? ['data-<name>'] : [])) : [String(only)]

const eventType = (name: string, schema: JsonSchema): string =>
  name === 'messageMetadata' ? 'metadata' : schemaLine(schema)

const metadataSchema = (): JsonSchema => eventSchemas()[0]?.properties?.messageMetadata ?? {}
