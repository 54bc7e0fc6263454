import type { Access } from '@sibyl/plugin/host'
import type { Operation, RouteOfDocument } from './api-document.ts'
import { markdownTable } from './markdown-table.ts'
import { type JsonSchema, schemaLine, schemaNotes, schemaText } from './schema-text.ts'

/** Describes the access of a route. */
export const accessText = (access: Access): string => {
  if (access === 'public') return 'any caller'
  if (access === 'operator') return 'the operator, with `ORACLE_OPERATOR_TOKEN` as bearer'
  if (access === 'own') return 'callers that pass the check of the route'
  if ('ucan' in access) return `a UCAN with \`${access.ucan}\`${access.orOperator ? ' or the operator token' : ''}`
  return `a key of \`${access.apiKey}\`${access.orUcan === undefined ? '' : ` or a UCAN with \`${access.orUcan}\``}`
}

/** One route: what it is for, who may call it, what it takes and what it answers. */
export const routeSection = ({ name, operation }: RouteOfDocument): string => {
  const { summary, description } = operation
  return [
    `## ${name}`,
    [summary === undefined ? '' : `${summary}.`, description ?? ''].filter(text => text !== '').join(' '),
    parametersText(operation),
    ...bodyTexts(operation),
    answersText(operation),
    sharedAnswersText(operation),
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
          [schemaLine(schema), schemaNotes(schema)].filter(text => text !== '').join(': '),
        ]),
      )

const bodyTexts = ({ requestBody }: Operation): string[] =>
  Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) => `Body, \`${type}\`:${typeBlock(schema)}`)

const answersText = ({ responses }: Operation): string =>
  markdownTable(
    ['Status', 'Answer', 'Body'],
    Object.entries(responses)
      .filter(([, { $ref }]) => $ref === undefined)
      .map(([status, { description = '', content = {} }]) => [
        status,
        description,
        Object.entries(content)
          .map(([type, { schema }]) => bodyName(type, schema) ?? `\`${type}\``)
          .join(', ') || '–',
      ]),
  )

const sharedAnswersText = ({ responses }: Operation): string => {
  const statuses = Object.keys(responses).filter(status => responses[status]!.$ref !== undefined)
  return statuses.length === 0 ? '' : `Also ${statuses.join(', ')}, as [other routes](#answers-that-routes-share).`
}

/** Returns the type of a body that has its own section; a stream is described with the schema of its events. */
const bodyName = (type: string, schema: JsonSchema = {}): string | undefined => {
  if (type === 'application/problem+json') return '[problem](#problems)'
  return type === eventStream && schema.type === 'string' ? '[stream](#the-chat-stream)' : undefined
}

const eventStream = 'text/event-stream'

/** Returns the types of bodies without their own section; responses of one type share a block. */
const answerTypes = ({ responses }: Operation): string[] => {
  const bodies = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content)
      .filter(([type, { schema }]) => bodyName(type, schema) === undefined)
      .map(([type, { schema = {} }]) => ({
        what: `${type === eventStream ? 'Data of each event' : 'Body'} of`,
        status,
        block: typeBlock(schema),
      })),
  )
  const statuses = Map.groupBy(bodies, ({ block }) => block)
  return [...statuses].map(
    ([block, same]) => `${same[0]?.what} ${same.map(({ status }) => status).join(', ')}:${block}`,
  )
}

const typeBlock = (schema: JsonSchema): string => {
  const text = schemaText(schema)
  return schema.$ref === undefined ? `\n\n\`\`\`ts\n${text}\n\`\`\`` : ` [${text}](#${text.toLowerCase()}).`
}
