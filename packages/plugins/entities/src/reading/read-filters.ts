import { page } from '@sibyl/plugin'
import { jsonPointer, type Violation } from '@sibyl/protocol'
import { z } from 'zod'
import { filterInvalid } from '../errors/entities-errors.ts'
import type { ErrorCode } from '../errors/violation-list.ts'
import { entityRecord } from '../records/entity-contract.ts'
import { domainClass, entityStatus } from '../records/entity-members.ts'
import type { EntityFilters } from './entity-filters.ts'

export const maxPropertyFilters = 10

const propertyPrefix = 'property.'

/** Pages of entities, newest first, by position. */
export const entityPages = page({ name: 'entities', item: entityRecord, key: z.int().positive() })

/** The parameters of a list besides `property.<name>`, whose names the caller chooses. */
export const listQuery = z.object({
  type: z.string().min(1).max(64).optional().meta({ description: 'Type', example: 'CookStove' }),
  class: domainClass.optional().meta({ description: 'Class' }),
  protocol: z.string().min(1).max(500).optional().meta({ description: 'DID of the protocol, in any version' }),
  controller: z.string().min(1).max(500).optional().meta({ description: 'Controller' }),
  status: entityStatus.optional(),
  updatedSince: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'Changed at this time or later', example: '2026-11-21T08:00:00Z' }),
  ...entityPages.query.shape,
})

/**
 * Parses the filters of a list.
 *
 * @param given all parameters of the URL
 * @throws `filter_invalid` with every parameter that is unknown, repeated or beyond the limit
 */
export const readFilters = (query: z.output<typeof listQuery>, given: URLSearchParams): EntityFilters => {
  const { type, class: domain, protocol, controller, status, updatedSince } = query
  const properties = readProperties(given)
  return {
    type,
    domainClass: domain,
    protocol,
    controller,
    status,
    updatedSince: updatedSince === undefined ? undefined : Date.parse(updatedSince),
    properties,
  }
}

const readProperties = (given: URLSearchParams): Readonly<Record<string, string>> => {
  const violations: Violation[] = []
  const seen = new Set<string>()
  const properties = new Map<string, string>()
  for (const [parameter, value] of given) {
    const violation = (code: ErrorCode, message: string) =>
      violations.push({ path: jsonPointer('', parameter.slice(0, 100)), code, message })
    const name = parameter.startsWith(propertyPrefix) ? parameter.slice(propertyPrefix.length) : undefined
    if (seen.has(parameter)) violation('repeated_value', 'Is repeated.')
    else if (name !== undefined && name.length >= 1 && name.length <= 64) properties.set(name, value)
    else if (!Object.hasOwn(listQuery.shape, parameter)) violation('unknown_filter', knownFilters)
    seen.add(parameter)
  }
  if (properties.size > maxPropertyFilters) {
    violations.push({
      path: '',
      code: 'too_many',
      message: `A list accepts at most ${maxPropertyFilters} property filters.`,
    })
  }
  if (violations.length > 0) throw filterInvalid(violations.slice(0, 100))
  return Object.fromEntries(properties)
}

const knownFilters = `Is unknown. Available: ${Object.keys(listQuery.shape).join(', ')} and ${propertyPrefix}<name>.`
