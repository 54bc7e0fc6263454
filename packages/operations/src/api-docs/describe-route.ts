import { OpenAPIHono } from '@hono/zod-openapi'
import type { Route } from '@sibyl/plugin'
import type { ApiAnswer, ApiOperation, ApiParameter, ApiSchema } from './api-document.ts'
import { referencesIn } from './map-json.ts'
import { type PathTemplate, pathTemplate } from './path-template.ts'

/** The description of a route from its definition. */
export type RouteDescription = Pick<
  ApiOperation,
  'summary' | 'description' | 'deprecated' | 'parameters' | 'requestBody' | 'responses' | 'x-undescribed'
> & {
  /** The named schemas. */
  readonly schemas: Readonly<Record<string, ApiSchema>>
}

/** Maximum size of the description of one route, in characters of JSON. */
const maxCharacters = 500_000

/**
 * Describes a route from its definition, independent of all others.
 *
 * @param shared Schemas of every document, by name; the definition may refer to them.
 * @throws the errors of its schemas; Error if the result is not a valid OpenAPI operation
 */
export const describeRoute = (
  { method, path, ...definition }: Route['definition'],
  shared: Readonly<Record<string, ApiSchema>>,
): RouteDescription => {
  const template = pathTemplate(path)
  const app = new OpenAPIHono()
  const { summary, description, deprecated, request, responses } = definition
  app.openAPIRegistry.registerPath({
    method,
    path: template.path,
    ...(request ? { request } : {}),
    responses,
  } as Parameters<typeof app.openAPIRegistry.registerPath>[0])
  const document = asJson(app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: '', version: '' } })) as {
    paths: Record<string, Record<string, RouteDescription>>
    components?: { schemas?: Record<string, ApiSchema>; parameters?: Record<string, ApiParameter> }
  }
  const operation = document.paths[template.path]?.[method]
  const { schemas = {}, parameters = {} } = document.components ?? {}
  if (!operation) throw new Error('the operation does not exist')
  checkAnswers(operation.responses)
  const described = {
    ...textOf('summary', summary),
    ...textOf('description', description),
    ...(deprecated === true ? { deprecated } : {}),
    ...withParameters(template, inlined(operation.parameters ?? [], parameters)),
    ...(operation.requestBody ? { requestBody: operation.requestBody } : {}),
    responses: operation.responses,
  }
  const missing = [...referencesIn([described, schemas])].find(name => !Object.hasOwn({ ...shared, ...schemas }, name))
  if (missing !== undefined) throw new Error(`a schema refers to ${missing}, which does not exist`)
  return asJson({ ...described, schemas }) as RouteDescription
}

/** The entry of a route whose own definition cannot be described. */
export const undescribed = ({ path, summary }: Route['definition']): RouteDescription => ({
  ...(typeof summary === 'string' ? { summary: summary.slice(0, 200) } : {}),
  description: 'The input and output of this route are not described: its schemas cannot be converted to JSON Schema.',
  ...withParameters(pathTemplate(path), []),
  responses: { default: { description: 'Not described' } },
  schemas: {},
  'x-undescribed': true,
})

const asJson = (value: unknown): unknown => {
  const text = JSON.stringify(value)
  if (text.length > maxCharacters) throw new Error(`its description is longer than ${maxCharacters} characters`)
  return JSON.parse(text)
}

const textOf = (name: 'summary' | 'description', text: unknown): { [name: string]: string } => {
  if (text === undefined) return {}
  if (typeof text !== 'string') throw new Error(`its ${name} is not a string`)
  return { [name]: text }
}

const checkAnswers = (responses: unknown): void => {
  const entries = Object.entries((responses ?? {}) as Readonly<Record<string, ApiAnswer | null>>)
  if (entries.length === 0) throw new Error('it has no answers')
  for (const [status, answer] of entries) {
    if (!/^([1-5](\d\d|XX)|default)$/.test(status)) throw new Error(`'${status.slice(0, 20)}' is not a status`)
    if (typeof answer?.description !== 'string') throw new Error(`its answer ${status} has no description`)
  }
}

const inlined = (
  parameters: readonly (ApiParameter | { $ref: string })[],
  named: Readonly<Record<string, ApiParameter>>,
): ApiParameter[] =>
  parameters.flatMap(parameter => {
    if (!('$ref' in parameter)) return [parameter]
    return named[parameter.$ref.split('/').at(-1)!] ?? []
  })

/** Returns the parameters of the path, as the path defines them, then all others. */
const withParameters = (
  { parameters: inPath }: PathTemplate,
  described: readonly ApiParameter[],
): { parameters?: ApiParameter[] } => {
  const parameters = [
    ...inPath.map(({ name, pattern }) => {
      const given = described.find(one => one.in === 'path' && one.name === name)
      const schema: ApiSchema = { type: 'string', ...(pattern === undefined ? {} : { pattern }), ...given?.schema }
      return { ...given, name, in: 'path', required: true, schema }
    }),
    ...described.filter(one => one.in !== 'path'),
  ]
  return parameters.length === 0 ? {} : { parameters }
}
