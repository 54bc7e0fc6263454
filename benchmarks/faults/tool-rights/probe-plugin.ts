import { type Actor, definePlugin, defineTool, type Host, type OraclePlugin, route, type Tool } from '@sibyl/plugin'
import { z } from 'zod'
import type { NotedTools } from './noted-plugins.ts'

/** Abilities of MCP servers, which are no plugins: they are known once the servers are connected. */
const abilitiesOfServers = ['mcp/notes', 'vault/open']

/** Interface of this script's plugin for the trials. */
export interface Probe {
  /** Returns the path of the route that requires exactly this ability. Throws without one. */
  pathFor(ability: string): string
  /** Runs a turn for the actor whose request stored it, as a plugin runs work later. @returns the code of a refusal */
  runLater(id: string, text: string): Promise<string | undefined>
  /** Takes the stored actors of another process of the same oracle. */
  adopt(stored: ReadonlyMap<string, string>): void
  /** The stored actors as JSON. */
  readonly actors: ReadonlyMap<string, string>
}

/** Makes the plugin: a route for each ability that any tool names, stored actors, and a tool that runs a turn of its own. */
export const probePlugin = (tools: NotedTools): { plugin: OraclePlugin; probe: Probe } => {
  const places: string[] = []
  const actors = new Map<string, string>()
  let host: Host | undefined
  const runTurn = async (actor: Actor, text: string, session: string) => {
    const started = await host!.turns.run({
      actor,
      session,
      text,
      channel: 'chat',
      whenBusy: 'queue',
      approvals: 'deny',
    })
    if ('refused' in started) return started.refused.code
    await started.finished
    return undefined
  }
  const runPart = defineTool({
    description: 'Has the agent do a part of the work in a turn of its own.',
    input: z.object({ part: z.string() }),
    effect: 'read',
    execute: async ({ part }, { turn }) => (await runTurn(turn.actor, part, `part-${part}`)) ?? 'done',
  })
  const plugin = definePlugin({
    name: 'probe',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Probe', summary: 'Has a route for each ability.', whenToUse: ['never'], load: 'always' },
    setup(given: Host) {
      host = given
      const named = [...tools.values()].flatMap(({ abilities }) => abilities)
      places.push(...new Set(['chat/send', ...named, ...abilitiesOfServers]))
      const answers = { ok: { 200: { description: 'Accepted' } } }
      const later = route.post(
        '/probe/later/{id}',
        { auth: { ucan: 'chat/send' }, summary: 'A route', params: z.object({ id: z.string() }), ...answers },
        c => {
          actors.set(c.req.valid('param').id, JSON.stringify(c.get('actor')))
          return c.json({})
        },
      )
      const routes = places.map((ucan, place) =>
        route.get(`/probe/${place}`, { auth: { ucan }, summary: 'A route', ...answers }, c => c.json({})),
      )
      return { routes: [...routes, later], tools: { run_part: runPart as Tool } }
    },
  })
  const probe: Probe = {
    pathFor(ability) {
      const place = places.indexOf(ability)
      if (place < 0) throw new Error(`No route of the script needs ${ability}. Add it to abilitiesOfServers.`)
      return `/probe/${place}`
    },
    runLater: (id, text) => runTurn(JSON.parse(actors.get(id) ?? 'null') as Actor, text, `later-${text}`),
    adopt(others) {
      for (const [id, actor] of others) actors.set(id, actor)
    },
    actors,
  }
  return { plugin, probe }
}
