import type { Changes } from './changes.test.support.ts'
import { type HomeserverRoute, type RouteRequest, route } from './homeserver-route.test.support.ts'
import type { Login } from './homeserver-state.test.support.ts'
import { MatrixRefusal } from './matrix-event.test.support.ts'
import { type SyncFilter, seqOf, syncOf } from './sync.test.support.ts'

/** The longest that a sync waits, in milliseconds. */
const longestPoll = 120_000

const filterOf = (filters: readonly unknown[], given: string | null): SyncFilter => {
  if (given === null) return {}
  const filter = given.startsWith('{') ? JSON.parse(given) : filters[Number(given)]
  if (typeof filter === 'object') return filter as SyncFilter
  throw new MatrixRefusal(400, 'M_INVALID_PARAM', 'No such filter')
}

/** Where each login's last sync began, and the one before it. */
type Places = Map<string, readonly [number | undefined, number | undefined]>

/** Where a sync begins that is given the batch before once more. */
const placeBefore = (places: Places, { token }: Login, since: number | undefined) => {
  const [last, before] = places.get(token) ?? []
  return last === since ? before : last
}

const notePlace = (places: Places, { token }: Login, since: number | undefined) => {
  const [last] = places.get(token) ?? []
  if (last !== since) places.set(token, [since, last])
}

const reversed = (body: ReturnType<typeof syncOf>['body']) => {
  for (const room of Object.values(body.rooms.join ?? {})) {
    const { timeline } = room as { readonly timeline: { readonly events: unknown[] } }
    timeline.events.reverse()
  }
  return body
}

/** The sync as a long poll: it answers once something changed for its user. */
export const syncRoute = (changes: Changes): HomeserverRoute => {
  const places: Places = new Map()

  const sync = async ({ state, login, query, signal, wrong }: RouteRequest) => {
    const asked = query.has('since') ? seqOf(state, query.get('since')) : undefined
    const since = wrong === 'repeat' ? placeBefore(places, login, asked) : asked
    notePlace(places, login, asked)
    const filter = filterOf(state.data.accounts.get(login.userId)?.filters ?? [], query.get('filter'))
    const ends = Date.now() + Math.min(Number(query.get('timeout')) || 0, longestPoll)
    const fullState = query.get('full_state') === 'true'
    for (;;) {
      const { body, isEmpty } = syncOf(state, login, { since, filter, fullState })
      const left = ends - Date.now()
      const isDue = !isEmpty || since === undefined || fullState || left <= 0
      if (isDue || signal.aborted || login.ended) return wrong === 'reverse' ? reversed(body) : body
      await changes.wait(left, signal)
      if (asked !== undefined) seqOf(state, query.get('since'))
    }
  }
  return route('GET', 'sync', 'sync', sync)
}
