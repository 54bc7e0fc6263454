import type { SessionEngine, SessionView } from './sessions/session-engine.ts'

const welcome = 'Welcome\n1. Know More\n2. Account Menu\n*. Exit'
const information = 'Information\n1. About this service\n2. Pricing\n3. Delivery\n*. Exit'

/** Stands in for the session engine until that room is there. */
export const standInEngine = (): SessionEngine => {
  const views = new Map<string, SessionView>()
  return {
    async serve({ sessionId, phoneNumber, serviceCode, text, event }) {
      const key = JSON.stringify([sessionId, phoneNumber, serviceCode])
      if (event === 'release' || event === 'timeout' || text.endsWith('*')) {
        views.delete(key)
        return event === 'input' ? { kind: 'end', text: 'Goodbye.' } : undefined
      }
      const [state, message] = text.startsWith('1') ? ['information', information] : ['preMenu', welcome]
      views.delete(key)
      views.set(key, { sessionId, phoneNumber, state, message, isAuthenticated: false, status: 'active' })
      return { kind: 'continue', text: message }
    },
    async find(sessionId) {
      return [...views.values()].findLast(view => view.sessionId === sessionId)
    },
    async list(limit) {
      const ids = [...views.values()].map(view => view.sessionId).toReversed()
      return { ids: ids.slice(0, limit), count: ids.length }
    },
  }
}
