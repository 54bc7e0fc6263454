import type { Actor, Channel, SessionTools, Turn } from '@sibyl/plugin'
import type { JsonObject } from '@sibyl/protocol'
import { coreTools } from '../tools/core-tools.ts'
import { TurnTools } from '../tools/turn-tools.ts'
import type { ClaimDependencies } from './claim/claim-store.ts'

/** The time in which plugins list their tools, in milliseconds. */
const listLimitMs = 10_000

/** Returns what a turn of the actor in a session could call, by the same gate; no turn takes place. */
export const sessionTools = async (
  { actor, session: id, channel }: { readonly actor: Actor; readonly session: string; readonly channel: Channel },
  { catalog, sessions, log }: Pick<ClaimDependencies, 'catalog' | 'sessions' | 'log'>,
): Promise<SessionTools> => {
  const session = await sessions.find(actor.did, id)
  const turn: Turn = {
    id: 'turn_listing',
    actor,
    text: '',
    signal: AbortSignal.timeout(listLimitMs),
    session: { id, loadedPlugins: session?.loadedPlugins ?? [] },
    channel,
  }
  const unused = async () => {}
  const tools = await TurnTools.gather(catalog, turn, own => coreTools(catalog, own, unused, () => {}), {}, log)
  return {
    tools: tools.offered().map(({ name, tool, origin }) => {
      const outputSchema = catalog.outputSchema(tool) as JsonObject | undefined
      return {
        name,
        capability: origin.capability,
        description: tool.description,
        inputSchema: catalog.inputSchema(tool) as JsonObject,
        ...(outputSchema === undefined ? {} : { outputSchema }),
        effect: tool.effect,
      }
    }),
    capabilities: catalog.entries().map(({ name, mode, manifest: { title, summary, examples = [] } }) => ({
      name,
      title,
      summary,
      load: mode,
      isLoaded: tools.has(name),
      examples: examples.map(({ user, tool }) => ({ user, tool })),
    })),
  }
}
