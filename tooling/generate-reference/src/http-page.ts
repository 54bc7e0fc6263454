import type { ApiDocument } from './api-document.ts'
import { type RouteOfDocument, routesOf } from './api-document.ts'
import { fillTables } from './fill-tables.ts'
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
 * Returns the page `docs/reference/http.md` with its tables, and the pages `docs/reference/http/*.md`, for each group of routes and
 * for the types that they share.
 *
 * @param document The document that an oracle returns at `/openapi.json`.
 */
export const httpPages = (document: ApiDocument, page: string): Pages => {
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
      ['docs/reference/http.md', fillTables(page, tables(document, groups))],
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

const tables = (document: ApiDocument, groups: readonly Group[]) => ({
  groups: [...groups, { title: 'Types', file: 'types' }]
    .map(({ title, file }) => `- [${title}](http/${file}.md)`)
    .join('\n'),
  routes: markdownTable(
    ['Route', 'Purpose', 'Access'],
    groups.flatMap(group =>
      group.routes.map(({ name, operation }) => [
        `[${name}](#${slug(name)})`,
        operation.summary ?? '',
        accessText(operation['x-access']),
      ]),
    ),
  ),
  credentials: markdownTable(['Credential', 'Meaning'], credentials(document)),
  'shared answers': markdownTable(['Status', 'Answer', 'Headers'], sharedAnswers(document)),
  events: markdownTable(['Event', 'Other members'], eventRows(document)),
})

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
