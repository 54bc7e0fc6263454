import { nearNames } from '@sibyl/plugin'
import { editDistance } from '@sibyl/plugin/host'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { cliErrors } from '../../errors/cli-errors.ts'
import { readCapped } from '../../http/read-capped.ts'
import { sendRequest } from '../../http/send-request.ts'

const timeoutMs = 5_000
const maxBytes = 10_000_000
const maxDistance = 2

/** The abilities in an API document, by path, method and scheme. */
const apiDocument = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ security: z.array(z.record(z.string(), z.array(z.string()))).default([]) })),
  ),
})

/**
 * Refuses an ability that no route needs and whose name is nearly that of one. Without an API document of the oracle, nothing is
 * refused: plugins may have abilities of their own.
 *
 * @param url The address of the oracle.
 * @throws `usage_invalid`
 */
export const checkAbilities = async (url: string, abilities: readonly string[]): Promise<void> => {
  const known = await routeAbilities(url)
  for (const ability of abilities) {
    if (known.includes(ability) || ability.endsWith('*')) continue
    const [near] = nearNames(ability, known).filter(name => editDistance(name, ability) <= maxDistance)
    if (near !== undefined) {
      throw cliErrors.usage_invalid(`No route of this oracle needs the ability ${ability}.`, `Did you mean ${near}?`)
    }
  }
}

const routeAbilities = async (url: string): Promise<readonly string[]> => {
  const request = { method: 'GET', signal: AbortSignal.timeout(timeoutMs) }
  const text = await sendRequest(`${url}/openapi.json`, request, response => readCapped(response, maxBytes)).catch(
    () => undefined,
  )
  const { data } = apiDocument.safeParse(parseJson(text ?? ''))
  const routes = Object.values(data?.paths ?? {}).flatMap(methods => Object.values(methods))
  return [...new Set(routes.flatMap(({ security }) => security.flatMap(needed => Object.values(needed).flat())))]
}
