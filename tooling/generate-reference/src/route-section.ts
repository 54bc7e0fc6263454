import type { Access, RouteRecord } from '@sibyl/core'
import { markdownTable } from './markdown-table.ts'
import { type JsonSchema, schemaNotes, schemaText } from './schema-text.ts'

/** An operation of an OpenAPI 3.1 document, as far as the page shows it. */
export interface Operation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema?: JsonSchema
  }[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Contents }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Contents }>>
}

type Contents = Readonly<Record<string, { readonly schema?: JsonSchema }>>

/** `GET /sessions/{id}` */
export const routeName = ({ definition: { method, path } }: RouteRecord): string => `${method.toUpperCase()} ${path}`

/** Who may call a route, in words. */
export const accessText = (access: Access): string => {
  if (access === 'public') return 'anybody'
  if (access === 'operator') return 'the operator, with `ORACLE_OPERATOR_TOKEN` as bearer'
  if (access === 'own') return 'whoever passes its own check'
  if ('ucan' in access) return `a UCAN with \`${access.ucan}\``
  return `a key of \`${access.apiKey}\`${access.orUcan === undefined ? '' : ` or a UCAN with \`${access.orUcan}\``}`
}

/** One route: what it is for, who may call it, what it takes and what it answers. */
export const routeSection = (route: RouteRecord, operation: Operation): string => {
  const { summary, description } = route.definition
  return [
    `### ${routeName(route)}`,
    [summary === undefined ? '' : `${summary}.`, description ?? ''].filter(text => text !== '').join(' '),
    `Access: ${accessText(route.access)}.`,
    parametersText(operation),
    ...bodyTexts(operation),
    answersText(operation),
    ...answerTypes(operation),
  ]
    .filter(text => text !== '')
    .join('\n\n')
}

const parametersText = ({ parameters = [] }: Operation): string =>
  parameters.length === 0
    ? ''
    : markdownTable(
        ['Parameter', 'In', 'Takes'],
        parameters.map(({ name, in: place, required, schema = {} }) => [
          `\`${name}\`${required ? '' : ', optional'}`,
          place,
          [schemaText(schema), schemaNotes(schema)].filter(text => text !== '').join(': '),
        ]),
      )

const bodyTexts = ({ requestBody }: Operation): string[] =>
  Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema = {} }]) => `Body, \`${type}\`:\n\n${typeBlock(schema)}`,
  )

const answersText = ({ responses }: Operation): string =>
  markdownTable(
    ['Status', 'Answer', 'Body'],
    Object.entries(responses).map(([status, { description, content = {} }]) => [
      status,
      description,
      Object.keys(content)
        .map(type => bodyNames[type] ?? `\`${type}\``)
        .join(', ') || '–',
    ]),
  )

const bodyNames: Readonly<Record<string, string>> = {
  'application/problem+json': '[problem](#problems)',
  'text/event-stream': '[stream](#the-chat-stream)',
}

/** The types of the bodies that are told nowhere else; answers of one type share a block. */
const answerTypes = ({ responses }: Operation): string[] => {
  const bodies = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content)
      .filter(([type]) => bodyNames[type] === undefined)
      .map(([, { schema = {} }]) => ({ status, block: typeBlock(schema) })),
  )
  const statuses = Map.groupBy(bodies, ({ block }) => block)
  return [...statuses].map(([block, same]) => `Body of ${same.map(({ status }) => status).join(', ')}:\n\n${block}`)
}

const typeBlock = (schema: JsonSchema): string => `\`\`\`ts\n${schemaText(schema)}\n\`\`\``
