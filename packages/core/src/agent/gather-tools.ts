import { listCapabilitiesTool } from '../tools/list-capabilities-tool.ts'
import { loadCapabilityTool } from '../tools/load-capability-tool.ts'
import { TurnTools } from '../tools/turn-tools.ts'
import type { RunningTurn } from './running-turn.ts'
import type { TurnServices } from './turn-services.ts'

/** Gathers the tools that a turn begins with: core's own, those of `always`, and of what the session loaded. */
export const gatherTools = (running: RunningTurn, services: TurnServices): Promise<TurnTools> => {
  const { facts, turn } = running
  return TurnTools.gather(
    services.catalog,
    turn,
    tools => ({
      list_capabilities: listCapabilitiesTool(services.catalog, tools),
      load_capability: loadCapabilityTool(
        services.catalog,
        tools,
        async names => {
          const loaded = await services.sessions.load(facts.actor.did, facts.sessionId, names)
          running.loadedPlugins.splice(0, running.loadedPlugins.length, ...loaded)
        },
        data => running.emit({ type: 'data-capability', data }),
      ),
    }),
    services.log,
  )
}
