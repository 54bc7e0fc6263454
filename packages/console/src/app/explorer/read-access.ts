import type { ApiClient } from '../api/api-client.ts'
import { Problem } from '../api/problem.ts'
import { type Access, createAccess } from '../session/access.ts'

/** The list of each plugin with twins, by the ability that reads it. */
const lists = {
  'entities/read': { plugin: 'entities', path: 'v1/entities' },
  'claims/read': { plugin: 'claims', path: 'v1/claims' },
  'credentials/read': { plugin: 'credentials', path: 'credentials' },
} as const

/** Finds out what a key can read. It has no ability to write, so that no view shows an action. */
export const readAccess = async (api: ApiClient, signal: AbortSignal): Promise<Access> => {
  const found = await Promise.all(
    Object.entries(lists).map(async ([ability, { plugin, path }]) => ({
      ability,
      plugin,
      status: await statusOf(api.get(path, { query: { limit: 1 }, signal })),
    })),
  )
  return createAccess(
    { did: '', operator: false, scopes: found.filter(({ status }) => status === 200).map(({ ability }) => ability) },
    found.map(({ plugin, status }) => ({
      name: plugin,
      title: plugin,
      summary: '',
      state: status === 404 ? 'excluded' : 'ready',
    })),
  )
}

/** Returns the status of a response; throws unless the list was read, is not for this key, or does not exist. */
const statusOf = (response: Promise<unknown>): Promise<number> =>
  response.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof Problem && (error.status === 403 || error.status === 404)) return error.status
      throw error
    },
  )
